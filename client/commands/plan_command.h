// `ptxfarm plan`: what a module needs, and what to make of it for a list of GPUs, without a farm.
#pragma once

#include <string>
#include <vector>

#include "client/session.h"
#include "config/program.h"

namespace ptxfarm::client {

struct PlanOptions {
  std::vector<std::string> files;
  std::vector<std::string> gpus;  // Empty: all that a module can be compiled for.
  bool relocatable = false;
};

// The row; both structs must outlive it.
config::Command PlanCommand(const CliOptions& cli, PlanOptions& options);

}  // namespace ptxfarm::client
