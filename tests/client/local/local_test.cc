// The parts that a local farm is made of: folders, locks, records, daemons. The farm as a whole:
// local_farm_test.cc.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "client/local/farm_files.h"
#include "client/local/farm_record.h"
#include "client/local/local_farm.h"
#include "client/local/lock.h"
#include "client/local/process.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::local {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::TempDir;
using testing::HasSubstr;

TEST(FarmFilesTest, MakesAFolderThatOnlyTheUserEnters) {
  const TempDir folder;
  const Result<FarmFiles> files =
      MakeFarmFiles({.xdg_runtime_dir = folder.path(), .xdg_cache_home = folder / "cache"});
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->socket(), folder / "ptxfarm/farm.sock");
  EXPECT_EQ(files->store(), folder / "cache/ptxfarm/store");
  struct stat info {};
  ASSERT_EQ(::stat(files->runtime_folder.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  EXPECT_TRUE(
      MakeFarmFiles({.xdg_runtime_dir = folder.path(), .xdg_cache_home = folder / "cache"}));
}

TEST(FarmFilesTest, FallsBackToHomeForTheCache) {
  const TempDir folder;
  EXPECT_EQ(*MakeCacheFolder({.home = folder.path()}), folder / ".cache/ptxfarm");
  EXPECT_FALSE(MakeCacheFolder({.home = "relative"}));
}

// Everybody may write to /tmp: what somebody put there first must not be used.
TEST(FarmFilesTest, RefusesFoldersThatSomebodyElseMadeReady) {
  const TempDir folder;
  const std::string path = folder / "ptxfarm";
  const auto refusal = [&] {
    const Result<std::string> made = MakeRuntimeFolder({.xdg_runtime_dir = folder.path()});
    return made ? std::string("accepted") : made.error().message;
  };
  ASSERT_EQ(::symlink("/tmp", path.c_str()), 0);
  EXPECT_THAT(refusal(), HasSubstr("is a link"));
  ::unlink(path.c_str());

  ASSERT_TRUE(WriteFileAtomically(path, ""));
  EXPECT_THAT(refusal(), HasSubstr("is not a folder"));
  ::unlink(path.c_str());

  ASSERT_EQ(::mkdir(path.c_str(), 0700), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0777), 0);
  EXPECT_THAT(refusal(), HasSubstr("can be entered by others"));
  ASSERT_EQ(::chmod(path.c_str(), 0700), 0);
  if (::chown(path.c_str(), 65534, 65534) == 0) {
    EXPECT_THAT(refusal(), HasSubstr("belongs to another user"));
  }
}

TEST(FarmFilesTest, SaysThatASocketsPathIsTooLong) {
  const TempDir folder;
  const std::string deep = folder / std::string(100, 'd');
  ASSERT_EQ(::mkdir(deep.c_str(), 0700), 0);
  const Result<FarmFiles> files =
      MakeFarmFiles({.xdg_runtime_dir = deep, .xdg_cache_home = folder.path()});
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("set XDG_RUNTIME_DIR to a shorter one"));
}

FarmRecord SampleRecord() {
  return {"0.1.0", 4711, {"/usr/bin/x", 1, 2, 1'700'000'000'000'000'003}, "http://127.0.0.1:1"};
}

TEST(FarmRecordTest, ReadsBackAndRefusesAllElse) {
  EXPECT_EQ(*ParseFarmRecord(Serialize(SampleRecord())), SampleRecord());
  for (const char* text :
       {"", "{}", "[]", "nonsense", R"({"version":1,"process":1,"page":"","program":{}})",
        R"({"version":"1","process":"x","page":"","program":{}})",
        R"({"version":"1","process":1,"page":"","program":{"path":"x"}})"})
    EXPECT_FALSE(ParseFarmRecord(text)) << text;
}

TEST(FarmRecordTest, AFarmIsOutdatedByVersionOrByANewProgram) {
  const TempDir folder;
  const std::string program = folder / "ptxfarm-serve";
  ASSERT_TRUE(WriteFileAtomically(program, "one"));
  const FarmRecord farm{.version = "0.9.1", .program = *StampOf(program)};
  EXPECT_FALSE(IsOutdated(farm, "0.9.1"));
  EXPECT_TRUE(IsOutdated(farm, "0.10.0"));
  EXPECT_FALSE(IsOutdated(farm, "0.9.0")) << "an older caller uses the newer farm";
  EXPECT_FALSE(IsOutdated(farm, "0.9"));
  EXPECT_TRUE(IsOutdated(farm, "1"));
  ASSERT_TRUE(WriteFileAtomically(program, "two"));
  EXPECT_TRUE(IsOutdated(farm, "0.9.1"));
  ::unlink(program.c_str());
  EXPECT_FALSE(IsOutdated(farm, "0.9.1")) << "it is just being installed";
}

// A child that runs `body` and says so; ended by its signal.
pid_t Fork(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  return child;
}

TEST(LockTest, TellsWhoHasItAndIsFreeWhenTheHolderIsKilled) {
  const TempDir folder;
  const std::string path = folder / "lock";
  EXPECT_FALSE(HolderOf(path));
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = Fork([&] {
    const Result<FileLock> lock = FileLock::TakeForLife(path);
    if (lock && ::write(ready[1], "x", 1) == 1) ::pause();
  });
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(HolderOf(path), child);
  const Result<FileLock> refused = FileLock::TakeForLife(path);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kAlreadyExists);
  EXPECT_THAT(refused.error().message, HasSubstr(std::to_string(child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(HolderOf(path));
  EXPECT_TRUE(FileLock::TakeForLife(path));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(LockTest, WaitersComeOneAfterTheOther) {
  const TempDir folder;
  const std::string path = folder / "lock";
  int inside = 0, entered = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const Result<FileLock> lock = FileLock::Wait(path);
      ASSERT_TRUE(lock);
      EXPECT_EQ(++inside, 1);
      ++entered;
      --inside;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(entered, 8);
}

class DaemonTest : public testing::Test {
 protected:
  Result<std::string> Start(const std::string& script, milliseconds timeout = seconds(60)) {
    return StartDaemon({"/bin/sh", {"-c", script}, folder_ / "log"}, timeout);
  }
  const TempDir folder_;
};

TEST_F(DaemonTest, GivesTheLineOfReadiness) {
  const Result<std::string> line = Start("echo ready for all >&3");
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_EQ(*line, "ready for all");
}

TEST_F(DaemonTest, StandsOnItsOwn) {
  // Something that the daemon must not inherit, as make's job server leaves it.
  const int leak = ::open("/dev/null", O_RDONLY);
  ASSERT_GE(leak, 0);
  const Result<std::string> line = Start(
      "echo $(ls /proc/self/fd | tr '\\n' ' ') / $(pwd) / $(cut -d' ' -f6 /proc/$$/stat) $$ >&3");
  ::close(leak);
  ASSERT_TRUE(line) << line.error().message;
  // ls itself has one more, for the folder that it lists.
  EXPECT_THAT(*line, testing::StartsWith("0 1 2 3 4 / / / "));
  const std::string session = line->substr(line->rfind("/ ") + 2);
  EXPECT_EQ(session.substr(0, session.find(' ')), session.substr(session.find(' ') + 1))
      << "leads a session of its own";
}

TEST_F(DaemonTest, AFailedStartShowsTheEndOfTheLogOfThisStart) {
  ASSERT_TRUE(WriteFileAtomically(folder_ / "log", "an older start\n"));
  const Result<std::string> line = Start("echo no room for the store >&2; exit 3");
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().code, Code::kUnavailable);
  EXPECT_THAT(line.error().message, HasSubstr("ended with status 3"));
  EXPECT_THAT(line.error().message, HasSubstr("| no room for the store"));
  EXPECT_THAT(line.error().message, testing::Not(HasSubstr("an older start")));
}

TEST_F(DaemonTest, KillsWhatSaysNothing) {
  const Result<std::string> line = Start("exec sleep 1000", milliseconds(100));
  ASSERT_FALSE(line);
  EXPECT_THAT(line.error().message, HasSubstr("was not ready"));
}

TEST_F(DaemonTest, SaysThatThereIsNoSuchProgram) {
  EXPECT_FALSE(StartDaemon({folder_ / "nothing", {}, folder_ / "log"}, seconds(1)));
}

TEST_F(DaemonTest, ALargeLogMakesRoom) {
  ASSERT_TRUE(WriteFileAtomically(folder_ / "log", std::string(2 << 20, 'x')));
  ASSERT_TRUE(Start("echo new >&2; echo ready >&3"));
  EXPECT_EQ(ReadFile(folder_ / "log.1", 10 << 20)->size(), std::size_t{2 << 20});
}

TEST(EndProcessTest, AsksFirstAndKillsThen) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t obedient = Fork([] { ::pause(); });
  // A zombie counts as ended: its descriptor is readable.
  EXPECT_TRUE(EndProcess(obedient, seconds(60)));
  int status = 0;
  ::waitpid(obedient, &status, 0);
  EXPECT_EQ(WTERMSIG(status), SIGTERM);

  const pid_t deaf = Fork([&] {
    ::signal(SIGTERM, SIG_IGN);
    if (::write(ready[1], "x", 1) == 1)
      while (true) ::pause();
  });
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(EndProcess(deaf, milliseconds(50)));
  ::waitpid(deaf, &status, 0);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_TRUE(EndProcess(deaf, seconds(1))) << "gone already";
  ::close(ready[0]);
  ::close(ready[1]);
}

}  // namespace
}  // namespace ptxfarm::local
