// The slots: threads that each do one lease after another.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "worker/control_group.h"
#include "worker/lease_work.h"
#include "worker/metrics.h"
#include "worker/worker_loop.h"

namespace ptxfarm::worker {

// One thread a slot: it waits for the compiler's process, and while it does that it costs nothing.
class SlotPool final : public LeaseRunner {
 public:
  // Where inputs come from and large outputs go: the server's blobs as they can be reached now.
  using BlobsOf = std::function<std::shared_ptr<BlobStore>(ServerIndex server)>;

  // `groups` is empty, or has one for each slot. What isn't taken by value outlives the pool.
  SlotPool(u32 slots, LeaseSetting setting, std::vector<std::unique_ptr<ControlGroup>> groups,
           WorkerMetrics& metrics, telemetry::Logger& logger, BlobsOf blobs_of);
  // Waits for what runs: cancel it before.
  ~SlotPool() override;

  // Before the first Start(): whom to tell of what has finished.
  void Bind(WorkerLoop& loop) { loop_ = &loop; }

  void Start(ServerIndex server, std::shared_ptr<const rpc::Lease> lease,
             std::shared_ptr<Cancellation> cancellation) override;

 private:
  struct Job {
    ServerIndex server = 0;
    std::shared_ptr<const rpc::Lease> lease;
    std::shared_ptr<Cancellation> cancellation;
  };

  void Work(ControlGroup* group);
  void Do(const Job& job, ControlGroup* group);

  const LeaseSetting setting_;
  const std::vector<std::unique_ptr<ControlGroup>> groups_;
  WorkerMetrics& metrics_;
  telemetry::Logger& logger_;
  const BlobsOf blobs_of_;
  WorkerLoop* loop_ = nullptr;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool ending_ = false;

  std::vector<std::thread> threads_;
};

}  // namespace ptxfarm::worker
