// A core over a store in memory, without gRPC: calls are made as the service makes them, workers
// are the test itself.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/compile_call.h"
#include "server/core.h"
#include "store/stores.h"

namespace ptxfarm::server {

class SilentObserver final : public CoreObserver {
 public:
  void OnTarget(const rpc::TargetResult&, const Caller&) override {}
  void OnRead(bool, std::chrono::microseconds) override {}
  void OnWaited(std::chrono::microseconds) override {}
  void OnCallEnd(const CallSummary& summary, const Caller&) override {
    const std::lock_guard lock(mutex_);
    ended_.push_back(summary.code);
  }
  void OnActionFinished(const Task&, const action::ActionResult&, const Status&) override {}
  std::vector<Code> ended() const {
    const std::lock_guard lock(mutex_);
    return ended_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Code> ended_;
};

// Gathers what a call sends.
class RecordingSink final : public CompileSink {
 public:
  void Send(rpc::CompileResponse response) override { Add(std::move(response), false); }
  void Finish(rpc::CompileResponse response) override { Add(std::move(response), true); }
  void Fail(const Error& error, std::optional<std::chrono::milliseconds> retry_after) override {
    const std::lock_guard lock(mutex_);
    EXPECT_FALSE(ended_) << "ended twice";
    error_ = error;
    retry_after_ = retry_after;
    ended_ = true;
    changed_.notify_all();
  }

  // Blocks until the call has ended.
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_; });
  }
  // Blocks until the target has got to that state.
  void WaitFor(const std::string& target, rpc::TargetState state) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      for (const rpc::TargetProgress& progress : progress_)
        if (progress.target == target && progress.state == state) return true;
      return ended_;
    });
  }
  bool ended() const {
    const std::lock_guard lock(mutex_);
    return ended_;
  }
  // Only after Wait.
  const std::optional<Error>& error() const { return error_; }
  std::optional<std::chrono::milliseconds> retry_after() const { return retry_after_; }
  const std::optional<rpc::ModuleInfo>& module() const { return module_; }
  const std::vector<Blob>& blobs() const { return blobs_; }
  std::size_t messages() const { return messages_; }
  const rpc::TargetResult& Of(const std::string& target) const {
    for (const rpc::TargetResult& result : results_)
      if (result.target == target) return result;
    static const rpc::TargetResult kNone;
    ADD_FAILURE() << "no result for " << target;
    return kNone;
  }
  std::size_t results() const { return results_.size(); }

 private:
  void Add(rpc::CompileResponse response, bool last) {
    const std::lock_guard lock(mutex_);
    EXPECT_FALSE(ended_) << "sent after the end";
    ++messages_;
    if (response.module) module_ = std::move(response.module);
    for (auto& progress : response.progress) progress_.push_back(std::move(progress));
    for (auto& result : response.results) results_.push_back(std::move(result));
    for (auto& blob : response.blobs) blobs_.push_back(std::move(blob));
    ended_ = last;
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::size_t messages_ = 0;
  std::optional<Error> error_;
  std::optional<std::chrono::milliseconds> retry_after_;
  std::optional<rpc::ModuleInfo> module_;
  std::vector<rpc::TargetProgress> progress_;
  std::vector<rpc::TargetResult> results_;
  std::vector<Blob> blobs_;
};

inline constexpr char kModule[] =
    ".version 7.0\n"
    ".target sm_75\n"
    ".address_size 64\n"
    "// Adds nothing to nothing.\n"
    ".visible .entry add() { ret; }\n";

// Takes leases as they come and answers each with "cubin of <target>", or as a test says.
class ScriptedWorker final : public WorkerLink,
                             public std::enable_shared_from_this<ScriptedWorker> {
 public:
  using Answer = std::function<Finished(const rpc::Lease&)>;

  ScriptedWorker(Core& core, std::string id) : core_(core), id_(std::move(id)) {}

  void Begin(u32 slots = 4) {
    const rpc::WorkerDescription worker{
        .id = id_, .name = "host-" + id_, .compilers = compilers_, .slots = slots};
    core_.compilers.Join(worker.compilers);
    session_ = core_.queue.Connect(worker, shared_from_this());
    core_.queue.Renew(session_, {}, false);
    OnOrders();
  }
  void End() { core_.queue.Disconnect(session_); }
  const std::vector<action::Compiler>& compilers() const { return compilers_; }

  // Leases that have come and were not answered.
  std::size_t held() const {
    const std::lock_guard lock(mutex_);
    return leases_.size();
  }
  std::vector<std::string> cancelled() const {
    const std::lock_guard lock(mutex_);
    return cancelled_;
  }

  void OnOrders() override {
    rpc::WorkerOrders orders = core_.queue.TakeOrders(session_);
    const std::lock_guard lock(mutex_);
    for (rpc::Lease& lease : orders.leases) leases_.push_back(std::move(lease));
    for (std::string& id : orders.cancelled_lease_ids) cancelled_.push_back(std::move(id));
  }

  // Answers one lease; false where there is none.
  bool AnswerOne(const Answer& answer = Compiled) {
    rpc::Lease lease;
    {
      const std::lock_guard lock(mutex_);
      if (leases_.empty()) return false;
      lease = std::move(leases_.front());
      leases_.erase(leases_.begin());
      ++answered_;
    }
    const std::optional<Task> task = core_.queue.BeginFinish(session_, lease.id);
    if (!task) {  // Cancelled meanwhile: the worker's slot is free when it says so.
      core_.queue.Finish(session_, lease.id, std::make_shared<const Finished>());
      OnOrders();
      return true;
    }
    ResultKeeper::Kept kept = core_.keeper.Keep(task->digest, answer(lease));
    core_.queue.Finish(session_, lease.id, std::move(kept.finished));
    OnOrders();
    return true;
  }
  std::size_t AnswerAll(const Answer& answer = Compiled) {
    std::size_t count = 0;
    while (AnswerOne(answer)) ++count;
    return count;
  }

  static Finished Compiled(const rpc::Lease& lease) {
    const bool bundle = lease.action.kind == action::Kind::kBundleFatbin;
    Blob blob = MakeBlob(bundle ? "fatbin" : "cubin of " + lease.action.target);
    Finished finished{
        .result = {.outcome = action::Outcome::kOk, .compiler = lease.action.compiler}};
    finished.result.outputs.push_back(
        {bundle ? action::OutputRole::kFatbin : action::OutputRole::kCubin, blob.digest});
    finished.outputs.push_back(std::move(blob));
    return finished;
  }

 private:
  Core& core_;
  const std::string id_;
  const std::vector<action::Compiler> compilers_ = {
      {.identity = {"ptxas", "13.0.88", DigestOf("ptxas").sha256},
       .ptx_version_max = {9, 0},
       .targets = {"sm_75", "sm_80", "sm_90", "sm_90a"}},
      {.identity = {"ptxfarm", "1", DigestOf("bundler").sha256}}};
  ActionQueue::SessionId session_ = 0;
  mutable std::mutex mutex_;
  std::vector<rpc::Lease> leases_;
  std::vector<std::string> cancelled_;
  std::size_t answered_ = 0;
};

class CoreTest : public testing::Test {
 protected:
  CoreTest()
      : store_(OpenStore({.path = ""}, clock_).value()),
        core_(std::make_unique<Core>(clock_, *store_, CoreOptions{.source_bytes_max = 1 << 20},
                                     QueueOptions{}, 2, observer_)) {}

  static rpc::CompileRequest Request(std::vector<std::string> targets, std::string text = kModule) {
    return {.source = std::move(text),
            .targets = std::move(targets),
            .want_cubins = true,
            .inline_outputs_bytes_max = 1 << 20};
  }

  std::shared_ptr<RecordingSink> Start(rpc::CompileRequest request) {
    auto sink = std::make_shared<RecordingSink>();
    call_ = CompileCall::Start(*core_, std::move(request), {.tenant = "t"}, sink);
    return sink;
  }

  // By digest, as clients look up. Has ended when it returns.
  std::shared_ptr<RecordingSink> LookUp(rpc::CompileRequest request) {
    request.source = DigestOf(std::get<std::string>(request.source));
    auto sink = std::make_shared<RecordingSink>();
    CompileCall::Start(*core_, std::move(request), {.tenant = "t"}, sink, Effort::kLookUp);
    return sink;
  }

  std::shared_ptr<ScriptedWorker> StartWorker(const std::string& id = "w", u32 slots = 4) {
    auto worker = std::make_shared<ScriptedWorker>(*core_, id);
    worker->Begin(slots);
    return worker;
  }

  SteppedClock clock_;
  SilentObserver observer_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Core> core_;
  std::shared_ptr<CompileCall> call_;  // Of the last Start.
};

}  // namespace ptxfarm::server
