// What must survive: lost workers, killed servers, damaged disks, callers that go away.
#include <signal.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/integration/farm_fixture.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using action::Outcome;
using client::Served;
using client::TargetState;

// Starts a call on a thread of its own and tells when its target runs.
class RunningCall {
 public:
  RunningCall(const client::Client& farm, std::string text) : text_(std::move(text)) {
    thread_ = std::thread([this, &farm] {
      reply_ = farm.Compile(
          {.text = text_, .targets = {"sm_80"}},
          {.progress = [this](const client::TargetProgress& progress) { Note(progress); }},
          cancel_);
      const std::lock_guard lock(mutex_);
      ended_ = true;
      changed_.notify_all();
    });
  }
  ~RunningCall() {
    if (thread_.joinable()) thread_.join();
  }

  // The worker that runs it.
  std::string WaitUntilRunning() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !worker_.empty() || ended_; });
    return worker_;
  }
  void Cancel() const { cancel_.Cancel(); }
  const Result<client::CompileReply>& Wait() {
    thread_.join();
    return *reply_;
  }

 private:
  void Note(const client::TargetProgress& progress) {
    const std::lock_guard lock(mutex_);
    if (progress.state == TargetState::kRunning) worker_ = progress.worker;
    changed_.notify_all();
  }

  const std::string text_;
  const client::CancelToken cancel_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string worker_;
  bool ended_ = false;
  std::optional<Result<client::CompileReply>> reply_;
  std::thread thread_;
};

// Whether a process has one below it: a worker, its compiler.
bool HasChild(pid_t process) {
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks))
    if (!ReadFile(task.path().string() + "/children", 1 << 16).value_or("").empty()) return true;
  return false;
}

TEST_F(FarmTest, AWorkerKilledInMidCompileIsReplacedByAnother) {
  StartServer({"--lease", "2s"});
  StartWorker("first");
  const client::Client farm = Connect();
  RunningCall call(farm, SlowModule());
  ASSERT_EQ(call.WaitUntilRunning(), "first");
  workers_["first"]->Signal(SIGKILL);
  StartWorker("second");
  const auto& reply = call.Wait();
  ASSERT_TRUE(reply.has_value()) << reply.error().ToString();
  EXPECT_TRUE(reply->targets.at(0).ok());
  EXPECT_EQ(reply->targets[0].result.execution.worker, "second");
}

TEST_F(FarmTest, AHungWorkersLeaseExpires) {
  StartServer({"--lease", "1s"});
  StartWorker("hung");
  const client::Client farm = Connect();
  RunningCall call(farm, SlowModule());
  ASSERT_EQ(call.WaitUntilRunning(), "hung");
  workers_["hung"]->Signal(SIGSTOP);
  StartWorker("second");
  const auto& reply = call.Wait();
  ASSERT_TRUE(reply.has_value()) << reply.error().ToString();
  EXPECT_EQ(reply->targets.at(0).result.execution.worker, "second");
  workers_["hung"]->Signal(SIGCONT);
}

TEST_F(FarmTest, AllWorkersGoneAndBack) {
  StartServer();
  StartWorker("w");
  ASSERT_TRUE(Connect().Compile({.text = SmallModule("a"), .targets = {"sm_80"}}).has_value());
  workers_["w"]->Signal(SIGKILL);
  workers_["w"]->Wait();
  const client::Client farm = Connect();
  RunningCall call(farm, SmallModule("b"));
  Await("the action waits", [&] { return farm.GetQueue()->waiting_count == 1; });
  StartWorker("again");
  EXPECT_TRUE(call.Wait()->targets.at(0).ok());
}

TEST_F(FarmTest, SixtyFourCallersOfOneColdActionMakeOneCompile) {
  StartServer();
  StartWorker("w");
  const client::Client farm = Connect();
  std::atomic<int> misses = 0;
  std::atomic<int> good = 0;
  std::vector<std::thread> callers;
  const std::string text = SlowModule(400);
  for (int i = 0; i < 64; ++i)
    callers.emplace_back([&] {
      const auto reply = farm.Compile({.text = text, .targets = {"sm_80"}});
      if (!reply || !reply->targets.at(0).ok()) return;
      ++good;
      misses += reply->targets[0].served == Served::kMiss;
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(good, 64);
  EXPECT_EQ(misses, 1);
  EXPECT_EQ(farm.ListWorkers()->at(0).actions_finished, 1u);
}

TEST_F(FarmTest, TheLastCallersGoingStopsTheCompiler) {
  StartServer();
  StartWorker("w");
  const client::Client farm = Connect();
  RunningCall call(farm, SlowModule(2000));
  call.WaitUntilRunning();
  call.Cancel();
  (void)call.Wait();
  Await("the worker is free", [&] { return farm.ListWorkers()->at(0).slots_busy == 0; });
  EXPECT_EQ(farm.GetQueue()->running_count, 0u);
  // And it works on.
  EXPECT_TRUE(
      farm.Compile({.text = SmallModule("after"), .targets = {"sm_80"}})->targets.at(0).ok());
}

TEST_F(FarmTest, ADeadlineEndsTheCallAndTheCompile) {
  StartServer();
  StartWorker("w");
  const client::Client farm = Connect();
  const auto reply = farm.Compile(
      {.text = SlowModule(2000), .targets = {"sm_80"}, .deadline = std::chrono::milliseconds(300)});
  EXPECT_TRUE(!reply || !reply->targets.at(0).ok());
  Await("the worker is free", [&] { return farm.ListWorkers()->at(0).slots_busy == 0; });
}

TEST_F(FarmTest, EverythingAcknowledgedSurvivesTheServersKill) {
  StartServer();
  StartWorker("w");
  std::atomic<int> acknowledged = 0;
  std::atomic<bool> killed = false;
  std::thread killer([&] {
    while (acknowledged < 40) std::this_thread::yield();
    server_->Signal(SIGKILL);
    killed = true;
  });
  std::map<int, std::string> objects;
  {
    const client::Client farm = Connect();
    for (int i = 0; !killed && i < 1000; ++i) {
      const auto reply =
          farm.Compile({.text = SmallModule("k" + std::to_string(i)), .targets = {"sm_80"}});
      if (!reply || !reply->targets.at(0).ok()) break;
      objects[i] = reply->targets[0].object;
      ++acknowledged;
    }
  }
  killer.join();
  server_->Wait();
  workers_.clear();
  StartServer();
  ASSERT_GE(objects.size(), 40u);
  const client::Client farm = Connect();
  for (const auto& [i, object] : objects) {
    const auto reply =
        farm.Compile({.text = SmallModule("k" + std::to_string(i)), .targets = {"sm_80"}});
    ASSERT_TRUE(reply.has_value());
    EXPECT_EQ(reply->targets.at(0).served, Served::kHit) << i;
    EXPECT_TRUE(reply->targets[0].object == object) << i;
  }
}

TEST_F(FarmTest, ADamagedStoreNeverServesWrongBytes) {
  StartServer({"--store-memory-bytes-max", "0B"});
  StartWorker("w");
  std::vector<std::string> objects;
  for (int i = 0; i < 20; ++i)
    objects.push_back(
        Connect()
            .Compile({.text = SmallModule("k" + std::to_string(i)), .targets = {"sm_80"}})
            ->targets.at(0)
            .object);
  server_->Signal(SIGTERM);
  EXPECT_EQ(server_->Wait(), 0);
  // Every 512th byte of all files that hold values.
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(store())) {
    const std::string extension = entry.path().extension();
    if (extension != ".sst" && extension != ".blob" && extension != ".log") continue;
    ++files;
    std::string bytes = ReadFile(entry.path(), u64{1} << 30).value();
    for (std::size_t at = 256; at < bytes.size(); at += 512)
      bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    ASSERT_TRUE(WriteFileAtomically(entry.path(), bytes).has_value());
  }
  ASSERT_GT(files, 0);
  server_ = std::make_unique<Program>(
      std::vector<std::string>{"ptxfarm-server", "--listen", address(), "--store", store(),
                               "--http", "", "--store-memory-bytes-max", "0B"});
  if (!server_->WaitForLine("server_listening")) {
    // Damaged beyond opening: that is said, and nothing is served.
    EXPECT_EQ(server_->Wait(), 3) << server_->output();
    EXPECT_NE(server_->output().find("store"), std::string::npos);
    return;
  }
  workers_.clear();
  StartWorker("again");
  for (int i = 0; i < 20; ++i) {
    const auto reply =
        Connect().Compile({.text = SmallModule("k" + std::to_string(i)), .targets = {"sm_80"}});
    ASSERT_TRUE(reply.has_value()) << reply.error().ToString();
    ASSERT_TRUE(reply->targets.at(0).ok());
    EXPECT_TRUE(reply->targets[0].object == objects[static_cast<std::size_t>(i)]);
  }
}

TEST_F(FarmTest, ADrainingServerAnswersWhatItHasAndThenEnds) {
  StartServer();
  StartWorker("w");
  const client::Client farm = Connect();
  RunningCall call(farm, SlowModule());
  call.WaitUntilRunning();
  server_->Signal(SIGTERM);
  ASSERT_TRUE(server_->WaitForLine("server_draining").has_value());
  const auto refused = Connect().Compile({.text = SmallModule("late"), .targets = {"sm_80"}});
  EXPECT_TRUE(!refused || !refused->targets.at(0).ok());
  const auto& reply = call.Wait();
  ASSERT_TRUE(reply.has_value()) << reply.error().ToString();
  EXPECT_TRUE(reply->targets.at(0).ok());
  EXPECT_EQ(server_->Wait(), 0);
}

TEST_F(FarmTest, ADrainedWorkerFinishesItsLeaseAndGoes) {
  StartServer();
  Program& worker = StartWorker("w");
  const client::Client farm = Connect();
  RunningCall call(farm, SlowModule());
  call.WaitUntilRunning();
  // A lease that is still on its way to a draining worker would go back to the queue.
  Await("the compiler runs", [&] { return HasChild(worker.pid()); });
  worker.Signal(SIGTERM);
  const auto& reply = call.Wait();
  ASSERT_TRUE(reply.has_value()) << reply.error().ToString();
  EXPECT_EQ(reply->targets.at(0).result.execution.worker, "w");
  EXPECT_EQ(worker.Wait(), 0) << worker.output();
}

TEST_F(FarmTest, ASecondServerDoesNotTakeTheSocketOrTheStore) {
  StartServer();
  Program same_socket(
      {"ptxfarm-server", "--listen", address(), "--store", dir_ / "other", "--http", ""});
  EXPECT_EQ(same_socket.Wait(), 3);
  EXPECT_NE(same_socket.output().find("another server listens"), std::string::npos)
      << same_socket.output();
  Program same_store(
      {"ptxfarm-server", "--listen", "127.0.0.1:0", "--store", store(), "--http", ""});
  EXPECT_EQ(same_store.Wait(), 3);
  EXPECT_NE(same_store.output().find("another process"), std::string::npos) << same_store.output();
}

// On a disk of its own that is full: results are answered, though they can't be kept, and the farm
// recovers.
TEST_F(FarmTest, AFullDiskCostsHitsButNoAnswers) {
  if (::geteuid() != 0) GTEST_SKIP() << "mounting a small disk needs root";
  std::filesystem::create_directories(store());
  const Ran mounted = RunShell("mount -t tmpfs -o size=8m none " + ShellQuote(store()));
  if (mounted.exit_code != 0) GTEST_SKIP() << "this machine allows no mounts: " << mounted.output;
  {
    StartServer();
    StartWorker("w");
    const client::Client farm = Connect();
    const Ran filled = RunShell("dd if=/dev/zero bs=64k of=" + ShellQuote(store() + "/filler"));
    EXPECT_NE(filled.exit_code, 0) << "the disk is not full";
    for (int i = 0; i < 30; ++i) {
      const auto reply =
          farm.Compile({.text = SmallModule("k" + std::to_string(i)), .targets = {"sm_80"}});
      ASSERT_TRUE(reply.has_value()) << reply.error().ToString();
      EXPECT_TRUE(reply->targets.at(0).ok()) << reply->targets[0].result.diagnostics[0].message;
    }
    std::filesystem::remove(store() + "/filler");
    bool hit = false;
    Await("the store takes writes again", [&] {
      const auto reply = farm.Compile({.text = SmallModule("again"), .targets = {"sm_80"}});
      hit = reply.has_value() && reply->targets.at(0).served == Served::kHit;
      return hit;
    });
    server_ = nullptr;
    workers_.clear();
  }
  RunShell("umount " + ShellQuote(store()));
}

}  // namespace
}  // namespace ptxfarm::test
