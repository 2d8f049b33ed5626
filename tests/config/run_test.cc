#include "config/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/config/sample_program.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class RunTest : public testing::Test {
 protected:
  int RunWords(const std::vector<std::string>& words,
               const std::map<std::string, std::string>& environment = {}) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    // A file that is there and empty, or the machine's own would be read.
    std::map<std::string, std::string> variables = {{"PTXFARM_CONFIG", "/dev/null"}};
    for (const auto& [name, value] : environment) variables[name] = value;
    const int status = config::Run(SampleProgram(options_), words, EnvironmentOf(variables));
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return status;
  }

  SampleOptions options_;
  std::string out_, err_;
};

TEST_F(RunTest, RunsTheCommandWithItsOptionsAndArguments) {
  EXPECT_EQ(RunWords({"compile", "--jobs=2", "a.ptx", "b.ptx"}), 7);
  EXPECT_EQ(options_.compiled, 1);
  EXPECT_EQ(options_.jobs, 2u);
  EXPECT_THAT(options_.inputs, ElementsAre("a.ptx", "b.ptx"));
  EXPECT_EQ(out_ + err_, "");
  EXPECT_EQ(RunWords({"fatbin", "list", "f", "m"}), 0);
  EXPECT_EQ(options_.listed, 1);
  EXPECT_EQ(options_.fatbin + options_.member, "fm");
}

struct Refused {
  std::vector<std::string> words;
  const char* message;
};
const Refused kRefused[] = {
    {{}, "sample: a command is missing\nTry 'sample --help'.\n"},
    {{"fatbin"}, "sample fatbin: a command is missing\nTry 'sample fatbin --help'.\n"},
    {{"compile"}, "sample compile: FILE is missing\nTry 'sample compile --help'.\n"},
    {{"fatbin", "list", "f", "m", "x"},
     "sample fatbin list: 'x' is one too many\nTry 'sample fatbin list --help'.\n"},
    {{"compile", "a", "--jobs=0"},
     "sample compile: --jobs: '0' is too small; allowed: a whole number from 1 to 1024\n"
     "Try 'sample compile --help'.\n"},
    {{"compile", "a", "--config", "/nonexistent"},
     "sample compile: config file: open /nonexistent: No such file or directory\n"
     "Try 'sample compile --help'.\n"},
};

TEST_F(RunTest, RefusesWithStatus2AndRunsNothing) {
  for (const Refused& refused : kRefused) {
    EXPECT_EQ(RunWords(refused.words), kExitUsage);
    EXPECT_EQ(err_, refused.message);
    EXPECT_EQ(out_, "");
  }
  EXPECT_EQ(options_.compiled + options_.listed, 0);
}

TEST_F(RunTest, HelpAndVersionAnswerWhateverElseIsWrong) {
  EXPECT_EQ(RunWords({"compile", "--help", "--jobs=0"}), 0);
  EXPECT_THAT(out_, StartsWith("Usage: sample compile [OPTION]... FILE...\n"));
  EXPECT_EQ(RunWords({"-h"}, {{"PTXFARM_CONFIG", "/nonexistent"}}), 0);
  EXPECT_THAT(out_, StartsWith("Usage: sample [OPTION]... COMMAND\n"));
  EXPECT_EQ(RunWords({"compile", "--version"}), 0);
  EXPECT_EQ(out_, "sample 1.2.3\n");
}

TEST_F(RunTest, ReadsTheConfigFileOfTheFlagOverThatOfTheEnvironment) {
  const test::TempDir dir;
  ASSERT_TRUE(WriteFileAtomically(dir / "a", "[client]\njobs = 5\n"));
  ASSERT_TRUE(WriteFileAtomically(dir / "b", "[client]\njobs = 6\n"));
  EXPECT_EQ(RunWords({"compile", "x"}, {{"PTXFARM_CONFIG", dir / "a"}}), 7);
  EXPECT_EQ(options_.jobs, 5u);
  EXPECT_EQ(RunWords({"compile", "x", "--config", dir / "b"}, {{"PTXFARM_CONFIG", dir / "a"}}), 7);
  EXPECT_EQ(options_.jobs, 6u);
}

TEST_F(RunTest, PrintsTheSettingsInForceAndWhereEachComesFrom) {
  EXPECT_EQ(RunWords({"compile", "--print=config", "-t", "sm_75,sm_80"}, {{"PTXFARM_JOBS", "3"}}),
            0);
  EXPECT_THAT(out_, HasSubstr("targets = \"sm_75,sm_80\"  # --targets\n"));
  EXPECT_THAT(out_, HasSubstr("jobs = \"3\"  # PTXFARM_JOBS\n"));
  EXPECT_THAT(out_, HasSubstr("lease = \"10s\"  # default\n"));
}

TEST_F(RunTest, PrintsFromTheRows) {
  for (const auto& [what, begin] :
       std::map<std::string, std::string>{{"man", ".TH \"SAMPLE\\-COMPILE\""},
                                          {"markdown", "## sample\n"},
                                          {"bash", "# bash completion"},
                                          {"zsh", "#compdef sample\n"},
                                          {"fish", "# fish completion"}}) {
    EXPECT_EQ(RunWords({"compile", "--print", what}), 0);
    EXPECT_THAT(out_, StartsWith(begin));
  }
}

TEST_F(RunTest, ContradictingRowsAbort) {
  Program program = SampleProgram(options_);
  program.command.options[0].options.push_back({"lease", "X", "Twice.", Text(&options_.server)});
  EXPECT_DEATH(CheckRows(program), "sample --lease");
}

}  // namespace
}  // namespace ptxfarm::config
