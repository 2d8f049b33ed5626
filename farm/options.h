// What `ptxfarm-serve` is told: a server's and a worker's options, and those of the two together.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "config/program.h"
#include "server/options.h"
#include "service/log_options.h"
#include "worker/options.h"

namespace ptxfarm::farm {

struct FarmOptions {
  server::ServerOptions server;
  worker::WorkerOptions worker;
  service::LogOptions log;
  std::string worker_token_file;
  std::chrono::milliseconds idle_time{0};  // 0: for ever.

  // Both set: this is the local farm of a user (client/local/farm_files.h has the files), started
  // by `ptxfarm`.
  std::string local_runtime;
  std::string local_cache;
  int ready_descriptor = -1;  // Where to write one line when it is ready.

  bool is_local() const { return !local_runtime.empty(); }
};

// The rows; the options must outlive them.
std::vector<config::OptionGroup> OptionGroups(FarmOptions& options);

// Judges the options of the two together. A local farm listens on its own socket alone, whatever
// the environment and the config file say for servers: nobody asked for those.
Status Settle(FarmOptions& options);

}  // namespace ptxfarm::farm
