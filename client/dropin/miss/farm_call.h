// One compile of a drop-in on a farm.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "client/dropin/ptxas/asked.h"
#include "client/dropin/ptxas/farm_memory.h"
#include "client/program.h"

namespace ptxfarm::dropin {

struct FarmResult {
  int exit_code = 0;
  std::string err;  // As ptxas would print it; with the input's name as kNamePlace.
  std::string object;
  std::string maker;
  FarmCompiler compiler;
  bool is_verdict = false;  // The compiler's own word on the input: may be kept.
};

// Whether a farm can answer this call so that nobody sees a difference. With a toolkit at hand what
// is doubtful is the toolkit's.
bool IsForFarm(const Asked& asked);

// `version` of the tool whose place the farm takes ("13.0.88"); empty where there is none, and the
// newest is taken. With a tool the answer is of that very compiler, and ok; else an error.
//
// UNAVAILABLE: no farm, or none that answers in time. UNIMPLEMENTED: it has no such compiler.
// Others: it refuses us, or can't do it.
Result<FarmResult> CompileOnFarm(const Asked& asked, std::string_view text,
                                 const std::string& version, const client::AllOptions& options);

// The compiler that a farm would take: its newest. For machines without a toolkit.
Result<FarmCompiler> CompilerOfFarm(const client::AllOptions& options);

}  // namespace ptxfarm::dropin
