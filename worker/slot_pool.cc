#include "worker/slot_pool.h"

#include <utility>

#include "telemetry/trace.h"
#include "worker/cancellation.h"

namespace ptxfarm::worker {

SlotPool::SlotPool(u32 slots, LeaseSetting setting,
                   std::vector<std::unique_ptr<ControlGroup>> groups, WorkerMetrics& metrics,
                   telemetry::Logger& logger, BlobsOf blobs_of)
    : setting_(std::move(setting)),
      groups_(std::move(groups)),
      metrics_(metrics),
      logger_(logger),
      blobs_of_(std::move(blobs_of)) {
  PTXFARM_CHECK(groups_.empty() || groups_.size() == slots);
  for (u32 i = 0; i < slots; ++i)
    threads_.emplace_back(
        [this, group = groups_.empty() ? nullptr : groups_[i].get()] { Work(group); });
}

SlotPool::~SlotPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void SlotPool::Start(ServerIndex server, std::shared_ptr<const rpc::Lease> lease,
                     std::shared_ptr<Cancellation> cancellation) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({server, std::move(lease), std::move(cancellation)});
  }
  changed_.notify_one();
}

void SlotPool::Work(ControlGroup* group) {
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    Do(job, group);
  }
}

void SlotPool::Do(const Job& job, ControlGroup* group) {
  const rpc::Lease& lease = *job.lease;
  const std::shared_ptr<BlobStore> blobs = blobs_of_(job.server);
  LeaseTraffic traffic;
  rpc::FinishedLease finished =
      DoLease(setting_, lease, blobs.get(), group, *job.cancellation, traffic);
  const action::ActionResult& result = finished.result;
  metrics_.OnFinished(lease.action, result, traffic);
  // A crash or a fault is for the operator; the rest is for the caller.
  const bool notable =
      result.outcome == action::Outcome::kCrashed || result.outcome == action::Outcome::kFault;
  const Result<telemetry::TraceContext> trace = telemetry::ParseTraceparent(lease.traceparent);
  logger_.Log(notable ? telemetry::Level::kWarning : telemetry::Level::kDebug, "action_finished",
              trace ? *trace : telemetry::TraceContext{},
              {{"action", HexOf(lease.action_sha256)},
               {"kind", NameOf(lease.action.kind)},
               {"target", lease.action.target},
               {"outcome", action::RowOf(result.outcome).name},
               {"why", notable ? result.diagnostics.back().kind : std::string()},
               {"duration_ms", result.execution.wall_time}});
  // Whoever started the worker starts it again, with the compiler that is there now.
  if (!result.diagnostics.empty() && result.diagnostics.back().kind == action::kCompilerChanged)
    loop_->Drain();
  loop_->OnFinished(job.server, std::move(finished));
}

}  // namespace ptxfarm::worker
