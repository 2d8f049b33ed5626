// What Prometheus has every process show (memory, processor time, open files, start), and our
// version.
#pragma once

#include <span>
#include <string>

#include "telemetry/metrics.h"

namespace ptxfarm::telemetry {

std::span<const MetricRow> ProcessMetricRows();

// Registers the rows and reads the values off /proc at each collection, as long as the object
// lives.
class ProcessMetrics {
 public:
  // `version` is the program's, the label of ptxfarm_build_info.
  ProcessMetrics(Metrics& metrics, const std::string& version);
  ProcessMetrics(const ProcessMetrics&) = delete;
  ProcessMetrics& operator=(const ProcessMetrics&) = delete;

 private:
  void Read() const;

  Gauge resident_bytes_;
  Gauge virtual_bytes_;
  Counter processor_seconds_;
  Gauge open_files_;
  Gauge threads_;
  Metrics::Collector collector_;
};

}  // namespace ptxfarm::telemetry
