// `ptxfarm cache`: the local results of the drop-ins: how many, how good, away with them.
#pragma once

#include <string>

#include "client/drop_in_options.h"
#include "client/session.h"
#include "config/program.h"

namespace ptxfarm::client {

struct CacheOptions {
  std::string recalled;  // "13.0.88", "ptxas 13.0.88", or the beginning of a digest.
};

// The row; the structs must outlive it.
config::Command CacheCommand(const CliOptions& cli, DropInOptions& drop_in, CacheOptions& options);

}  // namespace ptxfarm::client
