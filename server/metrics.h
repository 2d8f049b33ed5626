// The server's metrics and log lines: it watches calls, actions and the store.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/clock.h"
#include "server/core.h"
#include "server/http_cache/http_cache.h"
#include "store/observer.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace ptxfarm::server {

std::span<const telemetry::MetricRow> ServerMetricRows();

class ServerMetrics final : public CoreObserver, public StoreObserver {
 public:
  // Both outlive this.
  ServerMetrics(telemetry::Metrics& metrics, telemetry::Logger& logger);

  // From now on the gauges are read off `core` at each collection.
  void Watch(Core& core);
  // Ends that; `core` may go.
  void Unwatch() { collector_ = {}; }

  // `method` is "CompileService/Compile".
  void OnRpc(std::string_view method, Code code, std::chrono::nanoseconds duration);

  void OnHttpCache(const http_cache::Event& event);

  void OnTarget(const rpc::TargetResult& result, const Caller& caller) override;
  void OnRead(bool is_accepted, std::chrono::microseconds duration) override;
  void OnWaited(std::chrono::microseconds waited) override;
  void OnCallEnd(const CallSummary& summary, const Caller& caller) override;
  void OnActionFinished(const Task& task, const action::ActionResult& result,
                        const Status& stored) override;
  void Observe(const StoreObservation& observation) override;
  void Isolated(const Sha256& sha256, std::string_view why) override;
  void Warned(std::string_view line) override;

 private:
  void ReadGauges(Core& core);

  telemetry::Metrics& metrics_;
  telemetry::Logger& logger_;
  std::map<std::pair<std::string, int>, telemetry::Histogram>
      rpcs_;  // All made at the start: no lock.
  std::map<Code, telemetry::Counter> calls_;
  std::map<std::pair<action::Outcome, rpc::Served>, telemetry::Counter> targets_;
  std::map<rpc::Served, telemetry::Histogram> target_seconds_;
  std::map<std::pair<StoreOperation, bool>, telemetry::Histogram> store_seconds_;
  std::map<bool, telemetry::Counter> modules_;  // By whether they were accepted.
  telemetry::Histogram read_;
  telemetry::Histogram waited_;
  telemetry::Counter bytes_in_;
  telemetry::Counter bytes_out_;
  telemetry::Counter store_bytes_read_;
  telemetry::Counter store_bytes_written_;
  telemetry::Counter store_errors_;
  telemetry::Counter http_bytes_read_;
  telemetry::Counter http_bytes_written_;
  telemetry::Metrics::Collector collector_;
};

}  // namespace ptxfarm::server
