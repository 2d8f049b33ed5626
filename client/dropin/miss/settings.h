// What a miss may be told: the CLI's own options (which farm, TLS, token), and a few of its own.
// From the environment and the config file only: the command line is ptxas's.
#pragma once

#include <chrono>

#include "base/result.h"
#include "client/program.h"

namespace ptxfarm::dropin {

// The settings of all commands and of the drop-ins (client/drop_in_options.h).
Status LoadSettings(client::AllOptions& options);

}  // namespace ptxfarm::dropin
