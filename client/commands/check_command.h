// `ptxfarm check`: whether PTX is right, without a farm.
#pragma once

#include <string>
#include <vector>

#include "client/session.h"
#include "config/program.h"

namespace ptxfarm::client {

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> targets;  // GPUs that each module is to be compiled for; may be empty.
  bool relocatable = false;
};

// The row; both structs must outlive it.
config::Command CheckCommand(const CliOptions& cli, CheckOptions& options);

}  // namespace ptxfarm::client
