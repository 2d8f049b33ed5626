#include "worker/process.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/worker/confined.h"
#include "worker/control_group.h"

namespace ptxfarm::worker {
namespace {

using testing::HasSubstr;

std::size_t CountOf(const char* folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

// Looks until no process stands in the folder, for half a minute at most: a signal takes its time.
// A dead one stands nowhere, also while nobody has asked for its end.
bool NothingRunsIn(const std::string& folder) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < deadline) {
    bool found = false;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::error_code gone;
      found |= std::filesystem::read_symlink(entry.path() / "cwd", gone) == folder;
    }
    if (!found) return true;
    ::poll(nullptr, 0, 1);
  }
  return false;
}

TEST(ProcessTest, GivesExitCodeOutputAndTimes) {
  const test::TempDir folder;
  ProcessResult ran = RunBreakout(folder.path(), {"exit", "7"}, Confinement::kBestEffort);
  EXPECT_EQ(ran.ending, Ending::kExited);
  EXPECT_EQ(ran.exit_code, 7);
  EXPECT_GT(ran.wall_time.count(), 0);
  ran = RunBreakout(folder.path(), {"folder"}, Confinement::kBestEffort);
  EXPECT_EQ(ran.output, folder.path() + "\n");
}

TEST(ProcessTest, TellsASignalAndLeavesNoCore) {
  const test::TempDir folder;
  const ProcessResult ran = RunBreakout(folder.path(), {"crash"}, Confinement::kBestEffort);
  EXPECT_EQ(ran.ending, Ending::kSignalled);
  EXPECT_EQ(ran.signal, SIGSEGV);
  EXPECT_EQ(CountOf(folder.path().c_str()), 0u);
}

TEST(ProcessTest, StopsAtTheTimeLimitWithAllChildren) {
  const test::TempDir folder;
  Command command = BreakoutCommand(folder.path(), {"spin-with-child"}, Confinement::kOff);
  command.limits.wall_time = std::chrono::milliseconds(200);
  const Result<ProcessResult> ran = RunProcess(HelperPath(), command, Cancellation());
  ASSERT_TRUE(ran) << ran.error().ToString();
  EXPECT_EQ(ran->ending, Ending::kTimedOut);
  EXPECT_GE(ran->wall_time, std::chrono::milliseconds(200));
  EXPECT_GT(ran->cpu_time.count(), 0);
  EXPECT_TRUE(NothingRunsIn(folder.path()));
}

TEST(ProcessTest, StopsWhenCancelled) {
  const test::TempDir folder;
  Cancellation cancellation;
  std::thread canceller([&] { cancellation.Cancel(); });
  const Command command = BreakoutCommand(folder.path(), {"spin"}, Confinement::kBestEffort);
  const Result<ProcessResult> ran = RunProcess(HelperPath(), command, cancellation);
  canceller.join();
  ASSERT_TRUE(ran) << ran.error().ToString();
  EXPECT_EQ(ran->ending, Ending::kCancelled);
}

TEST(ProcessTest, BoundsTheSizeOfFiles) {
  const test::TempDir folder;
  Command command = BreakoutCommand(folder.path(), {"fill", "out"}, Confinement::kBestEffort);
  command.limits.file_bytes = 1 << 20;
  const Result<ProcessResult> ran = RunProcess(HelperPath(), command, Cancellation());
  ASSERT_TRUE(ran) << ran.error().ToString();
  EXPECT_EQ(ran->ending, Ending::kOverOutput);
  EXPECT_EQ(std::filesystem::file_size(folder / "out"), 1u << 20);
}

TEST(ProcessTest, BoundsWhatItSays) {
  const test::TempDir folder;
  Command command = BreakoutCommand(folder.path(), {"chatter"}, Confinement::kBestEffort);
  command.limits.log_bytes_max = 1000;
  command.limits.log_bytes_limit = 1 << 20;
  const Result<ProcessResult> ran = RunProcess(HelperPath(), command, Cancellation());
  ASSERT_TRUE(ran) << ran.error().ToString();
  EXPECT_EQ(ran->ending, Ending::kOverOutput);
  EXPECT_EQ(ran->output.size(), 1000u);
  EXPECT_TRUE(ran->output_cut);
}

TEST(ProcessTest, BoundsMemoryByTheProcessItself) {
  const test::TempDir folder;
  Command command = BreakoutCommand(folder.path(), {"memory", "256"}, Confinement::kBestEffort);
  command.limits.memory_bytes = 64 << 20;
  const Result<ProcessResult> ran = RunProcess(HelperPath(), command, Cancellation());
  ASSERT_TRUE(ran) << ran.error().ToString();
  EXPECT_EQ(ran->output, "refused Cannot allocate memory\n");
}

TEST(ProcessTest, LeavesNoChildAndNoDescriptor) {
  const test::TempDir folder;
  RunBreakout(folder.path(), {"say"}, Confinement::kBestEffort);
  const std::size_t descriptors = CountOf("/proc/self/fd");
  for (int i = 0; i < 20; ++i) {
    RunBreakout(folder.path(), {"say"}, Confinement::kBestEffort);
    RunBreakout(folder.path(), {"crash"}, Confinement::kBestEffort);
  }
  EXPECT_EQ(CountOf("/proc/self/fd"), descriptors);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

// Whoever runs a compile and dies takes it along, however he dies.
TEST(ProcessTest, EndsWithItsParent) {
  const test::TempDir folder;
  const pid_t parent = ::fork();
  if (parent == 0) {
    const Command command =
        BreakoutCommand(folder.path(), {"fill-and-spin", "begun"}, Confinement::kBestEffort);
    ::_exit(RunProcess(HelperPath(), command, Cancellation()) ? 0 : 1);
  }
  while (!std::filesystem::exists(folder / "begun")) ::poll(nullptr, 0, 1);
  ASSERT_EQ(::kill(parent, SIGKILL), 0);
  ASSERT_EQ(::waitpid(parent, nullptr, 0), parent);
  EXPECT_TRUE(NothingRunsIn(folder.path()));
}

TEST(ProcessTest, SaysWhatHelperIsMissing) {
  const test::TempDir folder;
  const Command command = BreakoutCommand(folder.path(), {"say"}, Confinement::kOff);
  const Result<ProcessResult> ran = RunProcess("/no/ptxfarm-confine", command, Cancellation());
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, Code::kNotFound);
}

}  // namespace
}  // namespace ptxfarm::worker
