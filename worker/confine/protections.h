// The protections that stand between a compiler that reads hostile text and the machine, a row
// each, in the order in which they are put up.
#pragma once

#include <span>

#include "worker/confine/request.h"

namespace ptxfarm::confine {

struct Protection {
  const char* name;   // As printed by --probe and in logs.
  const char* stops;  // What would be possible without it.
  bool always;        // Also in Mode::kOff, and a failure ends the run in every mode.
  // 0, or the errno of what the machine refused. Tightens this process for good.
  int (*apply)(const Request& request);
};

std::span<const Protection> Protections();

}  // namespace ptxfarm::confine
