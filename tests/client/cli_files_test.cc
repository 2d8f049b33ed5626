// The files of `ptxfarm`, and what stands in for them: pipes that keep silent, devices without an
// end, folders that aren't there or can't be written.
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/cli_farm.h"
#include "tests/support/program.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using testing::HasSubstr;

class CliFilesTest : public testing::Test {
 protected:
  void SetUp() override { farm_.Write("k.ptx", SmallModule()); }

  std::unique_ptr<Program> Start(std::vector<std::string> words) const {
    words.insert(words.begin(), "ptxfarm");
    return std::make_unique<Program>(words, farm_.environment());
  }

  CliFarm farm_;
};

// Opening a FIFO to write succeeds once somebody has it open to read: then the program waits for
// its input.
int OpenOnceRead(const std::string& fifo) { return ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC); }

TEST_F(CliFilesTest, ASignalEndsACompileThatWaitsForItsInput) {
  ASSERT_EQ(::mkfifo(farm_.In("pipe.ptx").c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    farm_.Write("pipe.fatbin", "stale");
    const std::unique_ptr<Program> caller =
        Start({"compile", farm_.In("pipe.ptx"), "-t", "compute_75", "-o", farm_.In("pipe.fatbin")});
    const int writer = OpenOnceRead(farm_.In("pipe.ptx"));
    ASSERT_GE(writer, 0);
    // Half a module: it waits for the rest.
    ASSERT_EQ(::write(writer, ".version 7.0\n", 13), 13);
    caller->Signal(signal);
    EXPECT_EQ(caller->Wait(), 128 + signal) << caller->output();
    EXPECT_FALSE(farm_.Exists("pipe.fatbin"));
    ::close(writer);
  }
}

TEST_F(CliFilesTest, ASignalEndsWhatOnlyReads) {
  ASSERT_EQ(::mkfifo(farm_.In("pipe").c_str(), 0600), 0);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"inspect", farm_.In("pipe")},
        {"fatbin", "list", farm_.In("pipe")},
        {"fatbin", "create", farm_.In("pipe"), "-o", farm_.In("k.fatbin")}}) {
    const std::unique_ptr<Program> caller = Start(words);
    const int writer = OpenOnceRead(farm_.In("pipe"));
    ASSERT_GE(writer, 0);
    caller->Signal(SIGINT);
    EXPECT_EQ(caller->Wait(), 128 + SIGINT) << words.front();
    ::close(writer);
  }
}

TEST_F(CliFilesTest, APipeIsReadAsItComes) {
  const CliRan ran = farm_.RunPiped("(head -c 20 k.ptx; tail -c +21 k.ptx)",
                                    "compile - -t compute_75 -o k.fatbin");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  ASSERT_EQ(::mkfifo(farm_.In("pipe.ptx").c_str(), 0600), 0);
  const std::unique_ptr<Program> caller =
      Start({"compile", farm_.In("pipe.ptx"), "-t", "compute_75", "-o", farm_.In("pipe.fatbin")});
  const int writer = OpenOnceRead(farm_.In("pipe.ptx"));
  const std::string text = SmallModule();
  ASSERT_EQ(::write(writer, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(writer);
  EXPECT_EQ(caller->Wait(), 0) << caller->output();
  EXPECT_EQ(farm_.Read("pipe.fatbin"), farm_.Read("k.fatbin"));
}

TEST_F(CliFilesTest, AnInputWithoutAnEndIsRefusedAtTheLimit) {
  // Larger than any memory, and no byte of it on disk.
  ASSERT_EQ(::truncate(farm_.In("k.ptx").c_str(), off_t{1} << 42), 0);
  farm_.Write("l.ptx", SmallModule("l"));
  const CliRan ran = farm_.Run("compile /dev/zero k.ptx l.ptx -t compute_75 -o out/ --jobs 1");
  EXPECT_EQ(ran.exit_code, 3) << ran.err;
  for (const char* file : {"/dev/zero", "k.ptx"})
    EXPECT_THAT(ran.err, HasSubstr(fmt::format("{0}: error: {0} is larger than 67108863 bytes, the "
                                               "most that a module may have",
                                               file)));
  EXPECT_TRUE(farm_.Exists("out/l.fatbin"));
}

TEST_F(CliFilesTest, AClosedStandardInputIsEmpty) {
  const CliRan ran = farm_.Run("compile - -t compute_75 -o k.fatbin <&-");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("the input is empty"));
}

TEST_F(CliFilesTest, FileNamesReachTheTerminalHarmless) {
  const std::string name = "a b\n\x1b[31m'\".ptx";
  farm_.Write(name, SmallModule());
  const CliRan ran = farm_.Run("compile " + ShellQuote(name) + " -t compute_75 -o out/");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(farm_.Exists("out/a b\n\x1b[31m'\".fatbin"));
  EXPECT_EQ(ran.out.find('\x1b'), std::string::npos) << ran.out;
  EXPECT_EQ(std::ranges::count(ran.out, '\n'), 2) << "a line a target: " << ran.out;
}

TEST_F(CliFilesTest, FoldersOfOutputsAreMade) {
  const CliRan file = farm_.Run("compile k.ptx -t compute_75 -o not/yet/there/k.fatbin");
  EXPECT_EQ(file.exit_code, 0) << file.err;
  EXPECT_TRUE(farm_.Exists("not/yet/there/k.fatbin"));
  EXPECT_EQ(farm_.Run("compile k.ptx -t compute_75 -o another/one").exit_code, 0);
  EXPECT_TRUE(farm_.Exists("another/one/k.fatbin"));
  EXPECT_EQ(farm_.Run("fatbin create compute_75=k.ptx -o a/third/k.fatbin").exit_code, 0);
  EXPECT_TRUE(farm_.Exists("a/third/k.fatbin"));
}

TEST_F(CliFilesTest, OutputsThatCannotBeWrittenAreToldBeforeACompile) {
  ASSERT_EQ(::mkdir(farm_.In("k.fatbin").c_str(), 0755), 0);
  struct Case {
    const char* words;
    const char* message;
  };
  std::vector<Case> cases = {
      {"compile k.ptx -t compute_75", "write k.fatbin: it is a folder"},
      {"compile k.ptx -t compute_75 -o k.ptx/k.fatbin",
       "make the folder k.ptx/: a file stands in its place"},
      {"compile k.ptx -t compute_75 -o k.ptx/", "a file stands in its place"},
  };
  ASSERT_EQ(::mkdir(farm_.In("fixed").c_str(), 0755), 0);
  // root may write everywhere, but not to a file system that takes nothing.
  const bool mounted =
      ::mount("tmpfs", farm_.In("fixed").c_str(), "tmpfs", MS_RDONLY, nullptr) == 0;
  if (mounted) {
    cases.push_back({"compile k.ptx -t compute_75 -o fixed/", "Read-only file system"});
    cases.push_back({"compile k.ptx -t compute_75 -o fixed/k.fatbin",
                     "write fixed/k.fatbin: Read-only file system"});
    cases.push_back({"compile k.ptx -t compute_75 -o fixed/a/b/", "Read-only file system"});
  }
  for (const Case& one : cases) {
    const CliRan ran = farm_.Run(one.words);
    EXPECT_EQ(ran.exit_code, 4) << one.words << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(one.message)) << one.words;
  }
  if (mounted) ::umount(farm_.In("fixed").c_str());
  EXPECT_FALSE(farm_.farm()) << "a farm was started for nothing";
}

}  // namespace
}  // namespace ptxfarm::test
