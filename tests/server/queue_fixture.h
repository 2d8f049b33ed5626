// A queue with a stepped clock, callers that write down what they are told, and workers that do
// what a test says.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/action_queue.h"

namespace ptxfarm::server {

using std::chrono::milliseconds;
using std::chrono::seconds;

inline const action::CompilerIdentity kPtxas{"ptxas", "13.0.88", DigestOf("ptxas").sha256};

inline Task MakeTask(const std::string& name, const std::string& target = "sm_90", u64 cost = 1) {
  Task task{.action = {.inputs = {{"ptx", DigestOf(name)}}, .target = target, .compiler = kPtxas},
            .cost = cost};
  task.digest = action::ActionDigest(task.action);
  return task;
}

class RecordingWaiter final : public Waiter {
 public:
  void OnRunning(const std::string& worker) override {
    const std::lock_guard lock(mutex_);
    running_.push_back(worker);
  }
  void OnFinished(const std::shared_ptr<const Finished>& finished) override {
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(finished_, nullptr) << "finished twice";
    finished_ = finished;
  }
  std::vector<std::string> running() const {
    const std::lock_guard lock(mutex_);
    return running_;
  }
  std::shared_ptr<const Finished> finished() const {
    const std::lock_guard lock(mutex_);
    return finished_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> running_;
  std::shared_ptr<const Finished> finished_;
};

// A worker's end: takes orders when the test asks for them.
class FakeWorker final : public WorkerLink {
 public:
  void OnOrders() override { ++woken; }
  std::atomic<int> woken = 0;
};

inline std::shared_ptr<const Finished> FinishedWith(action::Outcome outcome) {
  return std::make_shared<const Finished>(Finished{.result = {.outcome = outcome}});
}

class QueueTest : public testing::Test {
 protected:
  static rpc::WorkerDescription Describe(const std::string& id, u32 slots = 1,
                                         std::vector<std::string> targets = {"sm_80", "sm_90"}) {
    return {.id = id,
            .name = "host-" + id,
            .compilers = {{.identity = kPtxas,
                           .ptx_version_max = {9, 0},
                           .targets = std::move(targets)}},
            .slots = slots};
  }

  // As a worker begins: it says who it is, and what it runs already.
  ActionQueue::SessionId Connect(const rpc::WorkerDescription& worker,
                                 const std::vector<std::string>& running = {}) {
    const ActionQueue::SessionId session = queue_.Connect(worker, std::make_shared<FakeWorker>());
    queue_.Renew(session, running, false);
    return session;
  }

  ActionQueue::Submitted Submit(const Task& task, const std::string& tenant = "t",
                                i32 priority = 0) {
    waiters_.push_back(std::make_shared<RecordingWaiter>());
    const Result<ActionQueue::Submitted> submitted =
        queue_.Submit(task, tenant, priority, waiters_.back());
    EXPECT_TRUE(submitted.has_value());
    return submitted.value_or(ActionQueue::Submitted{});
  }

  // The next lease of a worker, which must have one.
  rpc::Lease TakeLease(ActionQueue::SessionId session) {
    for (rpc::Lease& lease : queue_.TakeOrders(session).leases)
      leases_[session].push_back(std::move(lease));
    std::vector<rpc::Lease>& leases = leases_[session];
    EXPECT_FALSE(leases.empty()) << "the worker got no lease";
    if (leases.empty()) return {};
    rpc::Lease lease = leases.front();
    leases.erase(leases.begin());
    return lease;
  }

  void Finish(ActionQueue::SessionId session, const std::string& lease_id,
              action::Outcome outcome = action::Outcome::kOk) {
    (void)queue_.BeginFinish(session, lease_id);
    queue_.Finish(session, lease_id, FinishedWith(outcome));
  }

  SteppedClock clock_;
  std::vector<action::ActionResult> verdicts_;
  ActionQueue queue_{
      clock_, {.waiting_max = 5}, [this](const Task&, const action::ActionResult& result) {
        verdicts_.push_back(result);
      }};
  std::vector<std::shared_ptr<RecordingWaiter>> waiters_;
  std::map<ActionQueue::SessionId, std::vector<rpc::Lease>> leases_;
};

}  // namespace ptxfarm::server
