// The property that the farm rests on: ptxas's cubin with -v, brought to the options without, is
// ptxas's cubin without.
#include "toolchain/object/cubin/tool_options.h"

#include <gtest/gtest.h>

#include "tests/support/toolkit.h"
#include "tests/toolchain/object/elf_builder.h"
#include "tests/toolchain/object/ptxas.h"
#include "tests/toolchain/object/sample_modules.h"
#include "toolchain/object/cubin/cubin.h"

namespace ptxfarm::object::cubin {
namespace {

using object::test::RunPtxas;
using object::test::SampleModule;
using object::test::SampleModules;

constexpr std::string_view kTargets[] = {"75",   "80",   "86",  "89",  "90",  "90a", "100",
                                         "100a", "100f", "103", "110", "120", "121"};
constexpr std::string_view kOptions[] = {"",    "-c",   "-lineinfo",       "-g",
                                         "-O0", "-ewp", "-maxrregcount 32"};

int SmOf(std::string_view target) { return std::atoi(std::string(target).c_str()); }

std::string FirstDifference(const std::string& a, const std::string& b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  return fmt::format("differ at {:#x} ({} and {} bytes)", at, a.size(), b.size());
}

class ToolOptionsTest : public testing::TestWithParam<std::string_view> {};

TEST_P(ToolOptionsTest, GivesTheBytesOfTheCallWithoutVerbose) {
  PTXFARM_NEED_TOOLKIT();
  int compared = 0;
  for (const SampleModule& module : SampleModules()) {
    if (SmOf(GetParam()) < module.since_sm) continue;
    for (const std::string_view options : kOptions) {
      const std::string line = fmt::format("-arch=sm_{} {}", GetParam(), options);
      const Result<std::string> plain = RunPtxas(module.text, line);
      if (!plain) continue;  // ptxas takes not every option with every module.
      const Result<std::string> verbose = RunPtxas(module.text, line + " -v");
      ASSERT_TRUE(verbose.has_value()) << verbose.error().ToString();
      ASSERT_NE(*plain, *verbose);

      const Result<std::string> back = WithoutToolFlag(*verbose, "-v");
      ASSERT_TRUE(back.has_value())
          << module.name << " " << line << ": " << back.error().ToString();
      EXPECT_TRUE(*back == *plain)
          << module.name << " " << line << ": " << FirstDifference(*back, *plain);

      // And the other way round, over a text of another length.
      const Result<Cubin> read = ReadCubin(*verbose);
      ASSERT_TRUE(read.has_value()) << read.error().ToString();
      const Result<std::string> forth = WithToolOptions(*plain, read->tool->options);
      ASSERT_TRUE(forth.has_value()) << forth.error().ToString();
      EXPECT_TRUE(*forth == *verbose)
          << module.name << " " << line << ": " << FirstDifference(*forth, *verbose);
      ++compared;
    }
  }
  EXPECT_GE(compared, 40);
}

INSTANTIATE_TEST_SUITE_P(Targets, ToolOptionsTest, testing::ValuesIn(kTargets),
                         [](const auto& test) { return fmt::format("sm_{}", test.param); });

// Without a toolkit: a file laid out by the same rule, so that the text alone makes the difference.
TEST(ToolOptionsLayoutTest, MovesWhatFollowsTheNote) {
  const auto with_options = [](std::string_view options) {
    object::test::BuiltElf built = object::test::BuiltCubin();
    built.sections.push_back(
        {.name = ".note.nv.tkinfo", .type = 7, .data = object::test::BuiltToolNote(options)});
    built.sections.push_back({.name = ".nv.constant3", .data = std::string(20, 'c')});
    return built.Bytes();
  };
  for (const std::string_view from : {"", "-arch sm_80 ", "-v  -arch sm_80 -m 64 "})
    for (const std::string_view to : {"", "-arch sm_80 ", "-v  -arch sm_80 -m 64 "}) {
      const Result<std::string> made = WithToolOptions(with_options(from), to);
      ASSERT_TRUE(made.has_value()) << made.error().ToString();
      EXPECT_TRUE(*made == with_options(to)) << from << " to " << to;
    }
  EXPECT_EQ(WithoutToolFlag(with_options("-v  -arch sm_80 "), "-v").value(),
            with_options("-arch sm_80 "));
}

struct FlagCase {
  const char* name;
  std::string_view options, expected;
};
class WithoutFlagTest : public testing::TestWithParam<FlagCase> {};

TEST_P(WithoutFlagTest, TakesTheFlagAndItsBlanks) {
  EXPECT_EQ(WithoutFlag(GetParam().options, "-v"), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WithoutFlagTest,
    testing::Values(FlagCase{"First", "-v  -arch sm_90 ", "-arch sm_90 "},
                    FlagCase{"Behind", "-lineinfo  -v  -arch sm_90 ", "-lineinfo  -arch sm_90 "},
                    FlagCase{"Alone", "-v  ", ""},
                    FlagCase{"Absent", "-arch sm_90 ", "-arch sm_90 "}, FlagCase{"Empty", "", ""},
                    FlagCase{"PartOfAName", "a-v  b -arch sm_90 ", "a-v  b -arch sm_90 "}),
    [](const auto& test) { return test.param.name; });

TEST(ToolOptionsRefusalTest, RefusesWhatItCannotLayOut) {
  EXPECT_FALSE(WithToolOptions("", "").has_value());
  EXPECT_FALSE(WithToolOptions("not a cubin", "").has_value());
  PTXFARM_NEED_TOOLKIT();
  const Result<std::string> good = RunPtxas(SampleModules()[1].text, "-arch=sm_90");
  ASSERT_TRUE(good.has_value()) << good.error().ToString();
  // Something behind the tables: ptxas writes nothing there, so these aren't its bytes.
  EXPECT_EQ(WithToolOptions(*good + "more", "").error().code, Code::kUnimplemented);
  EXPECT_EQ(WithToolOptions(good->substr(0, good->size() - 1), "").error().code, Code::kDataLoss);
}

}  // namespace
}  // namespace ptxfarm::object::cubin
