// Runs ptxas on one module for one target and judges what came out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "action/action.h"
#include "action/action_result.h"
#include "worker/confinement.h"
#include "worker/ptxas/toolkit.h"

namespace ptxfarm::worker {

class Cancellation;
class ControlGroup;

// How this machine runs compilers.
struct PtxasSetting {
  std::string helper;  // ptxfarm-confine.
  Confinement confinement = Confinement::kRequired;
  std::vector<std::string> read_paths;  // Besides SystemReadPaths() and ptxas itself.
};

struct PtxasRun {
  const Toolkit& toolkit;
  const action::Action& action;  // Of kind kCompilePtx, for this toolkit's identity.
  const std::string& text;
  action::Limits limits;
  std::string scratch;            // An empty folder of its own.
  ControlGroup* group = nullptr;  // For this run alone; null where there are none.
};

struct PtxasOutcome {
  action::ActionResult result;  // Without outputs and the worker's name.
  std::string object;           // The cubin, where the outcome is kOk.
};

// The outcome is always a result (docs/design.md §5): a zero exit code counts for nothing until the
// object was found whole and of the target and kind that were asked for, and a crash, a full disk
// and a limit are told apart. The bytes of the object are those of a call without -v.
//
// Leaves files in `scratch`. Blocks; one thread a running compile.
PtxasOutcome RunPtxas(const PtxasSetting& setting, const PtxasRun& run,
                      const Cancellation& cancellation);

}  // namespace ptxfarm::worker
