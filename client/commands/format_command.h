// `ptxfarm format`: PTX laid out as people read it.
#pragma once

#include <string>

#include "client/session.h"
#include "config/program.h"

namespace ptxfarm::client {

struct FormatOptions {
  std::string file;
  std::string output;  // "" and "-" are the standard output.
};

// The row; both structs must outlive it.
config::Command FormatCommand(const CliOptions& cli, FormatOptions& options);

}  // namespace ptxfarm::client
