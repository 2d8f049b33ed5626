// What OptionLine() says is what ptxas writes: for every option alone, for many at once, and as the
// one difference between a direct call's object and the farm's.
#include "action/option_line.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "toolchain/object/cubin/cubin.h"
#include "toolchain/object/cubin/tool_options.h"

namespace ptxfarm::action {
namespace {

constexpr std::string_view kModule = R"(.version 8.0
.target sm_80
.address_size 64
.visible .func helper() { ret; }
.visible .entry kernel(.param .u64 data)
{
	.reg .b64 %rd<2>;
	.reg .f64 %d<3>;
	ld.param.u64 %rd1, [data];
	ld.global.f64 %d1, [%rd1];
	add.f64 %d2, %d1, %d1;
	st.global.f64 [%rd1], %d2;
	ret;
}
)";

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string LineFor(const std::string& options, const RecordedNames& names) {
  const Result<std::vector<GivenOption>> given = ReadOptions(Words(options));
  return given ? OptionLine("sm_80", *given, names) : given.error().ToString();
}

class OptionLineTest : public testing::Test {
 protected:
  void SetUp() override {
    PTXFARM_NEED_TOOLKIT();
    ASSERT_TRUE(WriteFileAtomically(dir_ / "input.ptx", kModule));
  }

  // Nothing where ptxas refuses the options.
  std::optional<std::string> Compile(const std::string& options) {
    const test::Ran ran = test::RunShell(
        fmt::format("cd {} && {} -arch=sm_80 {} input.ptx -o output.cubin",
                    test::ShellQuote(dir_.path()), test::ToolkitTool("ptxas"), options));
    if (ran.exit_code != 0) return std::nullopt;
    return ReadFile(dir_ / "output.cubin", 1 << 24).value();
  }

  static std::string RecordedLine(const std::string& object) {
    return std::string(object::cubin::ReadCubin(object).value().tool->options);
  }

  const test::TempDir dir_;
  static constexpr RecordedNames kNames{.input = "input.ptx", .output = "output.cubin"};
};

// As a row's value where it needs one.
std::string ValueFor(const OptionRow& row) {
  if (row.value == OptionValue::kBool) return "true";
  static const std::map<std::string_view, std::string> kValues = {
      {"Ofast-compile", "min"}, {"def-load-cache", "ca"},   {"def-store-cache", "wb"},
      {"entry", "kernel"},      {"force-load-cache", "cg"}, {"force-store-cache", "wt"},
      {"machine", "64"},        {"maxntid", "64"},          {"maxrregcount", "0x20"},
      {"minnctapersm", "1"},    {"opt-level", "2"},         {"register-usage-level", "4"},
      {"sanitize", "memcheck"}, {"split-compile", "2"},     {"device-function-maxrregcount", "32"},
  };
  const auto value = kValues.find(row.name);
  return value == kValues.end() ? "" : value->second;
}

std::vector<std::string> AllOptions() {
  std::vector<std::string> all;
  for (const OptionRow& row : OptionTable()) {
    if (row.effect == OptionEffect::kRefused || row.name == "compile-as-tools-patch") continue;
    all.push_back(row.value == OptionValue::kNone
                      ? fmt::format("--{}", row.name)
                      : fmt::format("--{}={}", row.name, ValueFor(row)));
  }
  return all;
}

TEST_F(OptionLineTest, OfEachOptionAlone) {
  std::size_t compared = 0;
  for (const std::string& option : AllOptions()) {
    const std::optional<std::string> object = Compile(option);
    ASSERT_TRUE(object.has_value()) << option;
    EXPECT_EQ(LineFor(option, kNames), RecordedLine(*object)) << option;
    ++compared;
  }
  EXPECT_GT(compared, 40u);
}

TEST_F(OptionLineTest, OfManyAtOnce) {
  const std::vector<std::string> all = AllOptions();
  std::mt19937 random(1);
  std::size_t compared = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<std::string> chosen;
    std::sample(all.begin(), all.end(), std::back_inserter(chosen), 2 + random() % 9, random);
    std::shuffle(chosen.begin(), chosen.end(), random);
    std::string options;
    for (const std::string& option : chosen) options += option + " ";
    const std::optional<std::string> object = Compile(options);
    if (!object) continue;  // Some exclude each other.
    EXPECT_EQ(LineFor(options, kNames), RecordedLine(*object)) << options;
    ++compared;
  }
  EXPECT_GT(compared, 60u);
}

TEST_F(OptionLineTest, OfNoTarget) {
  EXPECT_EQ(OptionLine("", ReadOptions(Words("-O2 -v")).value()), "-v  -O 2 ");
}

TEST_F(OptionLineTest, OfOptionsGivenTwice) {
  for (const char* options : {"-v -v", "-O3 -O2", "-maxntid=32 -maxntid=2", "-m64 --machine 64",
                              "-sanitize=memcheck -sanitize=threadsteer", "-lineinfo -lineinfo"}) {
    const std::optional<std::string> object = Compile(options);
    ASSERT_TRUE(object.has_value()) << options;
    EXPECT_EQ(LineFor(options, kNames), RecordedLine(*object)) << options;
  }
}

// The farm's object, with the line of the direct call put in, is that of the direct call.
TEST_F(OptionLineTest, IsAllThatOptionsWithoutEffectChange) {
  for (const char* options :
       {"-O3", "-m64", "-v", "-w", "-O3 -m64 -v", "-warn-spills", "-warn-lmem-usage --opt-level 3",
        "-fmad=true", "-split-compile=2", "-lineinfo -v -m 64", "-c -m64", "-O2 -v",
        "-regUsageLevel=5", "-Ofc 0", "-maxrregcount 32 -fmad true -warn-double-usage -w"}) {
    const std::optional<std::string> direct = Compile(options);
    ASSERT_TRUE(direct.has_value()) << options;
    const CompileOptions normal = NormalizeOptions(Words(options)).value();
    std::string canonical;
    for (const std::string& word : normal.canonical) canonical += word + " ";
    const std::optional<std::string> farm = Compile(canonical);
    ASSERT_TRUE(farm.has_value()) << canonical;
    const Result<std::string> made =
        object::cubin::WithToolOptions(*farm, LineFor(options, kNames));
    ASSERT_TRUE(made.has_value()) << made.error().ToString();
    EXPECT_TRUE(*made == *direct) << options;
  }
}

}  // namespace
}  // namespace ptxfarm::action
