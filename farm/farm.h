// Server and worker in one process, which talk over a Unix socket: a whole farm for one machine.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "config/environment.h"
#include "farm/options.h"
#include "farm/worker_keeper.h"
#include "server/server.h"
#include "service/end_signals.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace ptxfarm::farm {

// What a farm stands on; all of it outlives the farm.
struct FarmWorld {
  const Clock& clock;
  telemetry::Logger& logger;
  telemetry::Metrics& metrics;
  const config::Environment& environment;
};

class Farm {
 public:
  // Starts both. Errors are the server's or the worker's, and say which option or file is wrong.
  static Result<std::unique_ptr<Farm>> Start(FarmOptions options, FarmWorld world);

  // The worker ends before the server: it hands over what it has.
  ~Farm();

  // Waits until the worker has announced itself to the server. False: a signal came first.
  // UNAVAILABLE after `timeout`.
  Result<bool> WaitUntilReady(const service::EndSignals& signals,
                              std::chrono::milliseconds timeout) const;

  // Waits for a signal, or until the farm was idle for its idle time; then nothing.
  std::optional<int> WaitForEnd(const service::EndSignals& signals) const;

  // Takes no more calls, lets those under way end within the drain timeout, and stops.
  void Stop();

  const server::Server& server() const { return *server_; }

 private:
  class SocketFolder;

  Farm(FarmOptions options, FarmWorld world);

  const FarmOptions options_;
  const FarmWorld world_;
  std::unique_ptr<SocketFolder> socket_folder_;  // Where no Unix socket was asked for.
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<WorkerKeeper> worker_;
};

}  // namespace ptxfarm::farm
