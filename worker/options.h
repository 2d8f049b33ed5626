// What a worker is told at its start, and the rows by which it is told.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/int.h"
#include "config/program.h"
#include "rpc/channel.h"
#include "worker/confinement.h"

namespace ptxfarm::worker {

struct WorkerOptions {
  std::vector<std::string> servers;  // Addresses, as rpc/channel.h takes them.
  rpc::ChannelOptions channel;       // For all of them; the address is left out.
  std::string name;                  // For people; host and process where it is empty.
  u32 slots = 0;                     // 0: one for each core.
  u64 memory_bytes_max = 0;          // Of all compiles together; 0: what the machine has.

  std::vector<std::string> cuda;  // Toolkits to use; none: those that are found.
  std::string scratch = "/tmp";

  // Of one compile. Requests can ask for less.
  std::chrono::milliseconds compile_time_max = std::chrono::minutes(10);
  u64 compile_memory_bytes_max = u64{8} << 30;
  u64 output_bytes_max = u64{1} << 30;

  Confinement confinement = Confinement::kBestEffort;
  bool control_groups = true;
  std::vector<std::string> read_paths;  // What compilers may read besides themselves and libraries.
  std::string confine_helper;           // Empty: beside the program.
};

// The rows go with any program that has a worker in it, as far as it lets its users choose. They
// point into `options`.
//
// What the worker is and has.
config::OptionGroup WorkerOptionGroup(WorkerOptions& options);
// What one compile may take; a server has limits of the same names.
config::OptionGroup WorkerLimitGroup(WorkerOptions& options);
// How to reach the servers.
config::OptionGroup WorkerServerGroup(WorkerOptions& options);

}  // namespace ptxfarm::worker
