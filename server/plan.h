// From a request to actions: one a target, each found again alone; and one that bundles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "action/action.h"
#include "action/action_result.h"
#include "action/options.h"
#include "base/result.h"
#include "rpc/calls.h"
#include "server/compilers.h"
#include "server/module.h"

namespace ptxfarm::server {

// What becomes of one target. Exactly one of three: failed at once, a PTX member (which needs no
// work), an action.
struct PlannedTarget {
  std::string name;              // As asked, where it is no target; else in its usual spelling.
  std::optional<Target> target;  // Nothing where the name is none.
  std::optional<action::ActionResult> failure;
  std::optional<action::Action> action;

  bool IsMember() const { return target && target->kind() == TargetKind::kVirtual; }
};

struct Plan {
  std::vector<PlannedTarget> targets;  // In the order asked, each once.
  action::CompileOptions options;
  bool exact = false;  // What is compiled is the exact form of the text.
  rpc::KeyTier tier = rpc::KeyTier::kLexical;
};

// What can be judged without the module: lists, options, bounds. INVALID_ARGUMENT or
// RESOURCE_EXHAUSTED.
Result<action::CompileOptions> CheckRequest(const rpc::CompileRequest& request);

// How the request's text is to be read, where the server verifies or not.
Reading ReadingOf(const rpc::CompileRequest& request, const action::CompileOptions& options,
                  bool server_verifies);

// The version as which the module may be compiled in place of its own: the newest that a compiler
// reads, where its own is newer and its contents need no more.
std::optional<PtxVersion> BridgeOf(const rpc::CompileRequest& request, const ModuleFacts& module,
                                   const CompilerRegistry& compilers);

// Whether the request asks for the structural form, and names and lines are no part of its results:
// PTX members carry the text as it is, and relocatable objects the lines of variables.
bool MayTakeStructure(const rpc::CompileRequest& request, const action::CompileOptions& options,
                      const ModuleFacts& module);

// Says that `bridged` is compiled in place of `written`.
void NoteBridge(rpc::ModuleInfo& info, const ModuleFacts& written, const ModuleFacts& bridged);

// What the first answer says of the module.
rpc::ModuleInfo InfoOf(const ModuleFacts& module);

// `options` are those of CheckRequest. A target that can't be served fails alone.
Plan MakePlan(const rpc::CompileRequest& request, action::CompileOptions options,
              const ModuleFacts& module, const CompilerRegistry& compilers);

// What the module's own settings do to the code, where nobody asked for it.
std::optional<Diagnostic> WarningOf(const Plan& plan, const ModuleFacts& module);

// For a module that is wrong: every target has its errors. Where they are all limits that it
// exceeds, that is the outcome.
Plan MakeFailedPlan(const rpc::CompileRequest& request, const Diagnostics& errors);

// A member of the fat binary: its label, and what it holds.
struct Member {
  Target target;
  Digest digest;  // Of the cubin; of the text's exact form for a virtual target.
};

// The bundle of `members`, by rising architecture and cubins before text, whatever order was asked.
action::Action BundleAction(const rpc::CompileRequest& request,
                            const action::CompileOptions& options, std::vector<Member> members,
                            const action::CompilerIdentity& bundler);

}  // namespace ptxfarm::server
