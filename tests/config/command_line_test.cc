#include "config/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/sample_program.h"

namespace ptxfarm::config {
namespace {

using testing::ElementsAre;
using testing::Pair;

class CommandLineTest : public testing::Test {
 protected:
  Result<CommandLine, UsageError> Split(const std::vector<std::string>& words) {
    return SplitCommandLine(program_, words);
  }
  // "compile | jobs=2 targets=a+b | k.ptx", or the message.
  std::string Shape(const std::vector<std::string>& words) {
    const Result<CommandLine, UsageError> line = Split(words);
    if (!line) return NameOf(line.error().path) + ": " + line.error().message;
    std::string shape = NameOf(line->path) + " |";
    for (const auto& [name, texts] : line->flags) {
      shape += " " + name + "=";
      for (std::size_t i = 0; i < texts.size(); ++i) shape += (i == 0 ? "" : "+") + texts[i];
    }
    shape += " |";
    for (const std::string& argument : line->arguments) shape += " " + argument;
    return shape;
  }

  SampleOptions options_;
  Program program_ = SampleProgram(options_);
};

TEST_F(CommandLineTest, SplitsFlagsCommandsAndArguments) {
  EXPECT_EQ(Shape({}), "sample | |");
  EXPECT_EQ(Shape({"compile", "a.ptx", "-", "b.ptx"}), "sample compile | | a.ptx - b.ptx");
  EXPECT_EQ(Shape({"compile", "--jobs", "2", "a", "--jobs=3"}), "sample compile | jobs=2+3 | a");
  EXPECT_EQ(Shape({"compile", "-ox", "a", "-t", "sm_80"}),
            "sample compile | output=x targets=sm_80 | a");
  EXPECT_EQ(Shape({"fatbin", "list", "f"}), "sample fatbin list | | f");
}

TEST_F(CommandLineTest, TakesGlobalFlagsBeforeAndAfterTheCommand) {
  EXPECT_EQ(Shape({"--lease", "2s", "compile", "a"}), "sample compile | lease=2s | a");
  EXPECT_EQ(Shape({"compile", "a", "--lease", "2s"}), "sample compile | lease=2s | a");
  EXPECT_EQ(Shape({"-q", "fatbin", "--color", "never", "list", "f", "--lease=3s"}),
            "sample fatbin list | color=never lease=3s quiet=true | f");
}

TEST_F(CommandLineTest, TheLaterOfTwoPlacesComesLast) {
  EXPECT_EQ(Shape({"--lease=1s", "compile", "--lease=2s", "a"}),
            "sample compile | lease=1s+2s | a");
}

TEST_F(CommandLineTest, FlagsHaveTwoForms) {
  EXPECT_EQ(Shape({"compile", "--no-verify", "a"}), "sample compile | verify=false | a");
  EXPECT_EQ(Shape({"compile", "--verify", "--quiet=false", "a"}),
            "sample compile | quiet=false verify=true | a");
}

TEST_F(CommandLineTest, ListsSplitAtCommasAndRepeat) {
  EXPECT_EQ(Shape({"compile", "--targets", "sm_80,sm_90", "-t", "sm_75", "a"}),
            "sample compile | targets=sm_80+sm_90+sm_75 | a");
  EXPECT_EQ(Shape({"--server", "a,b", "compile", "c"}), "sample compile | server=a,b | c");
}

TEST_F(CommandLineTest, KeepsTextsThatLookLikeSomethingElse) {
  EXPECT_EQ(Shape({"compile", "[a,b]", "fatbin", "compile"}),
            "sample compile | | [a,b] fatbin compile");
  EXPECT_EQ(Shape({"--server", "[::1]", "compile", "a"}), "sample compile | server=[::1] | a");
  EXPECT_EQ(Shape({"compile", "--", "-x.ptx", "--jobs"}), "sample compile | | -x.ptx --jobs");
  EXPECT_EQ(Shape({"compile", "--scratch=", "a"}), "sample compile | scratch= | a");
  EXPECT_EQ(Shape({"compile", "--scratch=a=b", "c"}), "sample compile | scratch=a=b | c");
  EXPECT_EQ(Shape({"compile", "--output", "-v", "c"}), "sample compile | output=-v | c");
}

TEST_F(CommandLineTest, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(Shape({"compile", "--job", "2"}),
            "sample compile: no option --job; did you mean '--jobs'?");
  EXPECT_EQ(Shape({"compile", "--job=2"}),
            "sample compile: no option --job; did you mean '--jobs'?");
  EXPECT_EQ(Shape({"compile", "--no-verfy"}),
            "sample compile: no option --no-verfy; did you mean '--no-verify'?");
  EXPECT_EQ(Shape({"compile", "-x"}), "sample compile: no option -x");
  EXPECT_EQ(Shape({"complie"}), "sample: no command 'complie'; did you mean 'compile'?");
  EXPECT_EQ(Shape({"fatbin", "lst"}), "sample fatbin: no command 'lst'; did you mean 'list'?");
  EXPECT_EQ(Shape({"--", "compile"}), "sample: no command 'compile'; did you mean 'compile'?");
  EXPECT_EQ(Shape({"compile", "a", "--output"}), "sample compile: --output needs a value");
  EXPECT_EQ(Shape({"--jobs", "2", "compile"}), "sample: no option --jobs");
}

}  // namespace
}  // namespace ptxfarm::config
