// `ptxfarm inspect`: what the GPU code of a file holds, without a farm.
#pragma once

#include <string>
#include <vector>

#include "client/session.h"
#include "config/program.h"

namespace ptxfarm::client {

struct InspectOptions {
  std::vector<std::string> files;
  std::vector<std::string> targets;  // Empty: all.
  bool full = false;
  bool attributes = false;
  bool sections = false;
};

// The row; both structs must outlive it.
config::Command InspectCommand(const CliOptions& cli, InspectOptions& options);

}  // namespace ptxfarm::client
