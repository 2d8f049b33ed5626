// The drop-in for fatbinary, call by call against the toolkit's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/file.h"
#include "client/dropin/fatbinary/build.h"
#include "client/dropin/fatbinary/fatbinary_call.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::dropin {
namespace {

using testing::HasSubstr;

constexpr std::string_view kModule =
    ".version 9.0 // of a test\n.target {}\n.address_size 64\n\n.visible .entry "
    "k()\n{{\n\tret;\n}}\n";
constexpr const char* kTargets[] = {"75", "80", "90a", "100f", "120"};

Result<FatbinaryCall> ReadCall(const std::vector<std::string>& words) {
  return ReadFatbinaryCall(words);
}

struct RefusedCall {
  std::vector<std::string> words;
  Code code;
  const char* message;
};

TEST(FatbinaryCallTest, SaysWhatTheToolSays) {
  const std::string image = "--image3=kind=elf,sm=80,file=k.cubin";
  const RefusedCall calls[] = {
      {{"--bogus"}, Code::kInvalidArgument, "Unknown option '-bogus'"},
      {{"-debug"}, Code::kInvalidArgument, "Unknown option 'debug'"},
      {{"--g"}, Code::kInvalidArgument, "Unknown option '-g'"},
      {{"--create"}, Code::kInvalidArgument, "argument expected after '--create'"},
      {{"--image3=kind=foo,sm=80,file=k"},
       Code::kInvalidArgument,
       "Missing or unknown kind in image3"},
      {{"--image3="}, Code::kInvalidArgument, "Missing or unknown kind in image3"},
      {{"--image3=kind=elf,file=k"}, Code::kInvalidArgument, "Missing sm in image3"},
      {{"--image3=kind=elf,sm=80,file=a,b"},
       Code::kInvalidArgument,
       "'b' is not in 'keyword=value' format"},
      {{"--image3=kind=elf,sm=80,file=a,bar=1"},
       Code::kInvalidArgument,
       "Keyword 'bar' is not defined for option 'image3'"},
      {{"--image3=sm=80,sm=90,kind=elf"}, Code::kInvalidArgument, "redefinition of keyword 'sm' "},
      {{"--compress=maybe"}, Code::kInvalidArgument, "'maybe': expected true or false"},
      {{"--create=", image}, Code::kInvalidArgument, "Could not open output file ''"},
      {{"--image3=kind=elf,sm=sm_80,file=k"}, Code::kInvalidArgument, "invalid architecture"},
      {{"--image3=kind=elf,sm=80x,file=k"}, Code::kInvalidArgument, "invalid architecture"},
      {{"-optf", "/nowhere"}, Code::kInvalidArgument, "options file"},
      {{}, Code::kUnimplemented, "no image"},
      {{"--version"}, Code::kUnimplemented, ""},
      {{"-32", image}, Code::kUnimplemented, ""},
      {{"--image2=kind=elf,file=k.o"}, Code::kUnimplemented, ""},
      {{"stray"}, Code::kUnimplemented, "no option"},
      {{"--create=a", "--create=b", image}, Code::kUnimplemented, "twice"},
  };
  for (const RefusedCall& call : calls) {
    const Result<FatbinaryCall> read = ReadCall(call.words);
    ASSERT_FALSE(read.has_value()) << testing::PrintToString(call.words);
    EXPECT_EQ(read.error().code, call.code) << testing::PrintToString(call.words);
    EXPECT_THAT(read.error().message, HasSubstr(call.message));
  }
}

class FatbinaryTest : public testing::Test {
 protected:
  void SetUp() override {
    PTXFARM_NEED_TOOLKIT();
    for (const std::string target : kTargets) {
      Write("k" + target + ".ptx", fmt::format(fmt::runtime(kModule), "sm_" + target));
      Run(fmt::format("{} -arch=sm_{} k{}.ptx -o k{}.cubin", test::ToolkitTool("ptxas"), target,
                      target, target));
    }
  }

  void Write(const std::string& name, std::string_view bytes) {
    ASSERT_TRUE(WriteFileAtomically(dir_ / name, bytes));
  }
  void Run(const std::string& command) {
    const test::Ran ran =
        test::RunShell(fmt::format("cd {} && {}", test::ShellQuote(dir_.path()), command));
    ASSERT_EQ(ran.exit_code, 0) << ran.output;
  }
  std::string Contents(const std::string& name) const {
    return ReadFile(dir_ / name, 1 << 24).value();
  }

  // Both tools with these words; what they write must be the same.
  void ExpectSame(const std::vector<std::string>& words) {
    std::string line = test::ToolkitTool("fatbinary") + " --create=tool.fatbin";
    std::vector<std::string> ours = {"--create=" + (dir_ / "ours.fatbin"),
                                     "--embedded-fatbin=" + (dir_ / "ours.c")};
    for (const std::string& word : words) {
      line += " " + test::ShellQuote(word);
      std::string here = word;
      if (const std::size_t file = here.find("file="); file != std::string::npos)
        here.insert(file + 5, dir_.path() + "/");
      ours.push_back(here);
    }
    Run(line + " --embedded-fatbin=tool.c");
    const Result<FatbinaryCall> call = ReadCall(ours);
    ASSERT_TRUE(call.has_value()) << line << ": " << call.error().ToString();
    const Status built = BuildFatbinary(*call, Exactness::kToolkitBytes);
    ASSERT_TRUE(built.has_value()) << line << ": " << built.error().ToString();
    EXPECT_TRUE(Contents("ours.fatbin") == Contents("tool.fatbin")) << line;
    EXPECT_TRUE(Contents("ours.c") == Contents("tool.c")) << line;
  }

  const test::TempDir dir_;
};

TEST_F(FatbinaryTest, WritesTheToolsBytes) {
  const std::vector<std::vector<std::string>> option_sets = {
      {},
      {"-64"},
      {"-c"},
      {"--device-c", "--no-asm"},
      {"-g"},
      {"-link"},
      {"--compress=false"},
      {"--compress", "false", "--compress-all"},
      {"--compress-all"},
      {"--compress-mode=none"},
      {"--compress-mode", "balance"},
      {"--ident=a b.cu"},
      {"--cmdline=--compile-only  "},
      {"-cmdline", "", "--cicc-cmdline=-ftz=0 -prec_div=1 -prec_sqrt=1 -fmad=1 "},
      {"-64", "-64", "--64"},
  };
  for (const std::vector<std::string>& options : option_sets) {
    std::vector<std::string> words = options;
    for (const std::string target : kTargets)
      words.push_back(fmt::format("--image3=kind=elf,sm={},file=k{}.cubin", target, target));
    words.insert(words.end(), {"-image3", "file=k80.ptx,kind=ptx,sm=80"});
    words.push_back("--image3=kind=ptx, sm=90a, file=k90a.ptx");
    ExpectSame(words);
  }
}

// The program: ours for what it can, the tool's own for the rest, with the same words and exit
// codes.
TEST_F(FatbinaryTest, TheProgramBehavesAsTheTool) {
  for (const char* const words :
       {"--create=x --image3=kind=elf,sm=80,file=k80.cubin",
        "--create=x --image3=kind=elf,sm=75,file=k80.cubin",
        "--create=x --image3=kind=elf,sm=80,file=nothing", "--bogus", "--version", "--help",
        "--create=/nowhere/x --image3=kind=elf,sm=80,file=k80.cubin",
        "--create=x --create=x --compress-mode=size --image3=kind=ptx,sm=80,file=k80.ptx"}) {
    const auto run = [&](const std::string& program) {
      std::filesystem::remove(dir_ / "x");
      const test::Ran ran = test::RunShell(
          fmt::format("cd {} && {} {}", test::ShellQuote(dir_.path()), program, words));
      const Result<std::string> made = ReadFile(dir_ / "x", 1 << 24);
      return std::tuple(ran.exit_code, ran.output, made ? *made : "none");
    };
    EXPECT_EQ(run(fmt::format("{}/ptxfarm-fatbinary", std::getenv("PTXFARM_BIN"))),
              run(test::ToolkitTool("fatbinary")))
        << words;
  }
}

TEST_F(FatbinaryTest, NeedsNoToolkit) {
  const test::Ran ran = test::RunShell(fmt::format(
      "cd {} && PTXFARM_FATBINARY=none {}/ptxfarm-fatbinary --create=x --compress-mode=size "
      "--image3=kind=ptx,sm=80,file=k80.ptx",
      test::ShellQuote(dir_.path()), std::getenv("PTXFARM_BIN")));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(std::filesystem::exists(dir_ / "x"));
  const test::Ran bad = test::RunShell(fmt::format(
      "PTXFARM_FATBINARY=none {}/ptxfarm-fatbinary --bogus", std::getenv("PTXFARM_BIN")));
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(bad.output, "fatbinary fatal   : Unknown option '-bogus'\n");
}

TEST_F(FatbinaryTest, TakesOptionsFiles) {
  Write("words.txt", "\"--image3=kind=elf,sm=80,file=" + (dir_ / "k80.cubin") +
                         "\"\n -64\t--ident=\"of a\"\\ 'file'\n");
  const Result<FatbinaryCall> call =
      ReadCall({"--options-file", dir_ / "words.txt", "--create=" + (dir_ / "ours.fatbin")});
  ASSERT_TRUE(call.has_value()) << call.error().ToString();
  EXPECT_EQ(call->identifier, "of a 'file'");
  ASSERT_TRUE(BuildFatbinary(*call, Exactness::kToolkitBytes));
  Run(test::ToolkitTool("fatbinary") + " --create=tool.fatbin -optf words.txt");
  EXPECT_TRUE(Contents("ours.fatbin") == Contents("tool.fatbin"));
}

TEST_F(FatbinaryTest, LeavesToTheToolWhatItPacksDifferently) {
  std::string large(kModule);
  for (int i = 0; i < 4000; ++i) large += fmt::format("// line {}\n.global .b32 v{};\n", i, i * i);
  Write("large.ptx", large);
  Result<FatbinaryCall> call = ReadCall(
      {"--image3=kind=ptx,sm=80,file=" + (dir_ / "large.ptx"), "--create=" + (dir_ / "x")});
  ASSERT_TRUE(call.has_value());
  EXPECT_EQ(BuildFatbinary(*call, Exactness::kToolkitBytes).error().code, Code::kUnimplemented);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "x"));
  EXPECT_TRUE(BuildFatbinary(*call, Exactness::kAnyBytes));
  EXPECT_TRUE(std::filesystem::exists(dir_ / "x"));
}

TEST_F(FatbinaryTest, NoOutputWhereAnImageIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"kind=elf,sm=75,file=k80.cubin", "sm_80"},
      {"kind=elf,sm=80,file=k80.ptx", "no ELF"},
      {"kind=ptx,sm=80,file=k80.cubin", ".version"},
      {"kind=elf,sm=80,file=nothing", "Could not open input file"},
  };
  for (const auto& [image, message] : cases) {
    std::string here = image;
    here.insert(here.find("file=") + 5, dir_.path() + "/");
    const Result<FatbinaryCall> call =
        ReadCall({"--create=" + (dir_ / "bad.fatbin"), "--image3=" + here});
    ASSERT_TRUE(call.has_value());
    const Status built = BuildFatbinary(*call, Exactness::kAnyBytes);
    ASSERT_FALSE(built) << image;
    EXPECT_THAT(built.error().message, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(dir_ / "bad.fatbin"));
  }
}

}  // namespace
}  // namespace ptxfarm::dropin
