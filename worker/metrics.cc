#include "worker/metrics.h"

namespace ptxfarm::worker {
namespace {

using telemetry::MetricKind;
using telemetry::MetricRow;

std::vector<std::string> OutcomeNames() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(action::Outcome::kFault); ++i)
    names.emplace_back(action::RowOf(static_cast<action::Outcome>(i)).name);
  return names;
}

}  // namespace

std::span<const MetricRow> WorkerMetricRows() {
  // clang-format off
  static const MetricRow rows[] = {
      {"ptxfarm_worker_action_duration_seconds", MetricKind::kHistogram,
       "Time of doing one action, by who compiled it for what: of a compile, the process alone.",
       {{"backend", {"ptxas", "ptxfarm"}}, {"target"}, {"outcome", OutcomeNames()}}, telemetry::SecondsBuckets()},
      {"ptxfarm_worker_compiler_crashes_total", MetricKind::kCounter,
       "Compilers that died of a signal, or ended without an object or a reason."},
      {"ptxfarm_worker_input_bytes_total", MetricKind::kCounter, "Bytes of inputs that came in, as sent."},
      {"ptxfarm_worker_output_bytes_total", MetricKind::kCounter, "Bytes of outputs that went out, as sent."},
      {"ptxfarm_worker_slots", MetricKind::kGauge, "Actions that can be done at once."},
      {"ptxfarm_worker_slots_busy", MetricKind::kGauge, "Actions under way."},
      {"ptxfarm_worker_leases_waiting", MetricKind::kGauge, "Leases that wait for a slot, where several servers share the worker."},
      {"ptxfarm_worker_leases_unaccepted", MetricKind::kGauge, "Results that their server has not taken yet."},
      {"ptxfarm_worker_servers", MetricKind::kGauge, "Servers that the worker works for.", {{"state", {"connected", "lost"}}}},
  };
  // clang-format on
  return rows;
}

WorkerMetrics::WorkerMetrics(telemetry::Metrics& metrics) : metrics_(metrics) {
  metrics.Register(WorkerMetricRows());
  input_bytes_ = metrics.GetCounter("ptxfarm_worker_input_bytes_total");
  output_bytes_ = metrics.GetCounter("ptxfarm_worker_output_bytes_total");
  crashes_ = metrics.GetCounter("ptxfarm_worker_compiler_crashes_total");
}

void WorkerMetrics::OnFinished(const action::Action& action, const action::ActionResult& result,
                               const LeaseTraffic& traffic) {
  const bool bundles = action.kind == action::Kind::kBundleFatbin;
  // Looked up anew each time: a compile takes ten thousand times as long.
  metrics_
      .GetHistogram("ptxfarm_worker_action_duration_seconds",
                    {bundles ? "ptxfarm" : "ptxas", bundles ? "fatbin" : action.target,
                     action::RowOf(result.outcome).name})
      .Observe(result.execution.wall_time);
  if (result.outcome == action::Outcome::kCrashed) crashes_.Add();
  input_bytes_.Add(traffic.input_bytes);
  output_bytes_.Add(traffic.output_bytes);
}

telemetry::Metrics::Collector WorkerMetrics::Watch(const WorkerLoop& loop, u32 slots) {
  metrics_.GetGauge("ptxfarm_worker_slots").Set(slots);
  return metrics_.OnCollect([&loop, busy = metrics_.GetGauge("ptxfarm_worker_slots_busy"),
                             waiting = metrics_.GetGauge("ptxfarm_worker_leases_waiting"),
                             unaccepted = metrics_.GetGauge("ptxfarm_worker_leases_unaccepted"),
                             connected = metrics_.GetGauge("ptxfarm_worker_servers", {"connected"}),
                             lost = metrics_.GetGauge("ptxfarm_worker_servers", {"lost"})] {
    const LoopCounts counts = loop.Counts();
    busy.Set(static_cast<double>(counts.leases_running));
    waiting.Set(static_cast<double>(counts.leases_waiting));
    unaccepted.Set(static_cast<double>(counts.leases_finished));
    connected.Set(static_cast<double>(counts.servers_connected));
    lost.Set(static_cast<double>(counts.servers - counts.servers_connected));
  });
}

}  // namespace ptxfarm::worker
