// What a worker counts.
#pragma once

#include <chrono>
#include <span>

#include "action/action.h"
#include "action/action_result.h"
#include "telemetry/metrics.h"
#include "worker/lease_work.h"
#include "worker/worker_loop.h"

namespace ptxfarm::worker {

std::span<const telemetry::MetricRow> WorkerMetricRows();

class WorkerMetrics {
 public:
  explicit WorkerMetrics(telemetry::Metrics& metrics);

  void OnFinished(const action::Action& action, const action::ActionResult& result,
                  const LeaseTraffic& traffic);
  // Shows the loop's counts at each collection, until the returned object goes.
  [[nodiscard]] telemetry::Metrics::Collector Watch(const WorkerLoop& loop, u32 slots);

 private:
  telemetry::Metrics& metrics_;
  telemetry::Counter input_bytes_;
  telemetry::Counter output_bytes_;
  telemetry::Counter crashes_;
};

}  // namespace ptxfarm::worker
