// Runs the breakout program through the helper.
#pragma once

#include <string>
#include <vector>

#include "worker/cancellation.h"
#include "worker/process.h"

namespace ptxfarm::worker {

std::string HelperPath();
std::string BreakoutPath();

// A command that runs breakout with these words in `folder`.
Command BreakoutCommand(const std::string& folder, std::vector<std::string> words,
                        Confinement confinement);

// Runs it with generous limits; a failure to start it fails the test.
ProcessResult RunBreakout(const std::string& folder, std::vector<std::string> words,
                          Confinement confinement);

// Whether this machine gives every protection that the table of confine/ has.
bool ConfinementIsWhole();

}  // namespace ptxfarm::worker
