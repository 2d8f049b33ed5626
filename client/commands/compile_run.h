// The work of `ptxfarm compile`, after its options are understood.
#pragma once

#include <string>
#include <vector>

#include "client/commands/compile_command.h"
#include "client/files/output_plan.h"
#include "client/report/module_report.h"
#include "client/report/progress.h"

namespace ptxfarm::client {

// What all modules of one call have in common.
struct CompileTask {
  OutputPlan plan;
  CompileRequest request;  // Without its text.
  u32 jobs = 1;            // Modules at once.
};

// Called from one thread at a time, with each module as it is done, its outputs written.
using ModuleDone = std::function<void(const ModuleReport&)>;

// Does all modules, several at once; a module that fails leaves the others unharmed. After it each
// planned file is of this call, or isn't there. In the order of the plan.
std::vector<ModuleReport> RunCompiles(const Client& farm, const CompileTask& task,
                                      Progress& progress, const CancelToken& cancel,
                                      const ModuleDone& done);

// The reports of a call for which there is no farm to ask.
std::vector<ModuleReport> FailAll(const OutputPlan& plan, const Error& error, ExitCode code);

}  // namespace ptxfarm::client
