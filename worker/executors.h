// What the worker can do: an executor for each kind of action.
#pragma once

#include <string>
#include <vector>

#include "action/action.h"
#include "action/action_result.h"
#include "store/blob.h"
#include "worker/ptxas/run.h"
#include "worker/ptxas/toolkit.h"

namespace ptxfarm::worker {

class Cancellation;
class ControlGroup;

// What executors work with; the same for all of them.
struct Workshop {
  std::vector<Toolkit> toolkits;
  PtxasSetting ptxas;
};

// One action under way.
struct Task {
  const action::Action& action;
  const std::vector<std::string>& inputs;  // Whole, as action.inputs names them.
  action::Limits limits;
  std::string scratch;            // An empty folder of its own.
  ControlGroup* group = nullptr;  // Null where there are none.
};

struct Executed {
  action::ActionResult result;  // Without the worker's name.
  std::vector<Blob> outputs;    // Those that result.outputs speaks of.
};

// Does the action with its kind's executor. Always a result: what the worker can't do is a fault.
Executed Execute(const Workshop& workshop, const Task& task, const Cancellation& cancellation);

// All that this workshop compiles with: its toolkits, and what bundles fat binaries.
std::vector<action::Compiler> CompilersOf(const Workshop& workshop);

// What makes fat binaries: our own code, named by its version alone, since it gives equal bytes on
// every machine.
action::CompilerIdentity BundlerIdentity();

}  // namespace ptxfarm::worker
