// `ptxfarm serve` and `ptxfarm stop`: the farm of this machine, in the foreground, or ended.
#pragma once

#include <chrono>
#include <span>

#include "client/session.h"
#include "config/program.h"

namespace ptxfarm::client {

struct StopOptions {
  std::chrono::milliseconds wait = std::chrono::seconds(30);
};

// The rows; the structs must outlive them.
config::Command StopCommand(const CliOptions& cli, StopOptions& options);
// Of its words the CLI knows nothing: main hands them over to `ptxfarm-serve`.
config::Command ServeCommand();

// Becomes `ptxfarm-serve` with these words; returns only where that fails.
int ExecServe(std::span<char* const> words);

}  // namespace ptxfarm::client
