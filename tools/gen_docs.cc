// `gen-docs`: prints docs/metrics.md from the rows of metrics. (docs/flags.md comes from the
// programs themselves, by --print markdown; ./dev docs writes both.)
#include <span>

#include <fmt/format.h>

#include "server/metrics.h"
#include "telemetry/metric_rows.h"
#include "telemetry/process_metrics.h"
#include "worker/metrics.h"

namespace {

struct Component {
  const char* title;
  std::span<const ptxfarm::telemetry::MetricRow> rows;
};

}  // namespace

int main() {
  const Component components[] = {
      {"Server", ptxfarm::server::ServerMetricRows()},
      {"Worker", ptxfarm::worker::WorkerMetricRows()},
      {"Every program", ptxfarm::telemetry::ProcessMetricRows()},
  };
  fmt::print("# Metrics\n\nWhat /metrics has. Printed from the code's rows by `./dev docs`.\n");
  for (const Component& component : components)
    fmt::print("\n## {}\n\n{}", component.title,
               ptxfarm::telemetry::MetricsMarkdown(component.rows));
}
