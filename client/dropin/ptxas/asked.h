// What a call asks, and all that is known of it before anything is compiled: the same in the small
// program that serves hits and in the one that it becomes on a miss.
#pragma once

#include <optional>

#include "base/digest.h"
#include "client/dropin/ptxas/command_line.h"
#include "client/dropin/tier/local_tier.h"
#include "client/dropin/tool/tool.h"

namespace ptxfarm::dropin {

struct Asked {
  PtxasCall call;
  std::optional<LocalTier> tier;
  std::optional<Tool> tool;        // The one that would run without us.
  std::optional<Sha256> compiler;  // Of the tool; without one, of the farm (farm_memory.h).
  std::optional<Sha256> key;       // Nothing where the call isn't for the tier.
};

// `argv` as main() has it.
Asked LookAt(int argc, char** argv);

// Serves the call from the tier; nothing where that doesn't have it.
std::optional<int> AnswerFromTier(const Asked& asked, Counter counter = Counter::kHit);

}  // namespace ptxfarm::dropin
