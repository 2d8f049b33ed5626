// The front door as one object: listens, plans, queues, keeps. `ptxfarm-server` is a main around
// it; `ptxfarm-serve` has a worker beside it.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "server/options.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace ptxfarm::server {

class Server {
 public:
  // Takes calls when it returns. All but the options outlive the server. Errors say which option or
  // file is wrong, or who has the address or the store already.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options, const Clock& clock,
                                               telemetry::Logger& logger,
                                               telemetry::Metrics& metrics);
  // Stops at once, if nobody called Stop.
  ~Server();

  // As clients write them, with the ports that were taken.
  const std::vector<std::string>& addresses() const;
  // "http://127.0.0.1:8981"; empty where the page is switched off.
  std::string page_url() const;

  // Takes no new compiles, and says so to load balancers; what is under way goes on. Returns at
  // once.
  void BeginDrain();
  bool draining() const;
  // Nothing is queued and no call is under way.
  bool Idle() const;
  // When the last call ended, or the server started.
  TimePoint LastActive() const;

  // Drains, waits for what is under way at most `timeout`, then ends what is left and closes the
  // store.
  void Stop(std::chrono::milliseconds timeout);

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace ptxfarm::server
