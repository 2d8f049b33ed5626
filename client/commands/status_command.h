// `ptxfarm status`: who works, what waits, what is kept. `ptxfarm targets`: what can be compiled
// for.
#pragma once

#include "client/session.h"
#include "config/program.h"

namespace ptxfarm::client {

// The rows; the options must outlive them.
config::Command StatusCommand(const CliOptions& cli);
config::Command TargetsCommand(const CliOptions& cli);

}  // namespace ptxfarm::client
