// `ptxfarm check`: whether PTX is right, without a farm; also the PTX in asm statements of CUDA
// C++.
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
  bool is_inline = false;  // The files are CUDA C++.
  std::string sarif;       // Where a SARIF log goes; "-" is the standard output.
};

// The row; both structs must outlive it.
config::Command CheckCommand(const CliOptions& cli, CheckOptions& options);

}  // namespace ptxfarm::client
