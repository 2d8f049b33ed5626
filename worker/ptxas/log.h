// What ptxas says, read into fields: diagnostics, and resources of each function.
//
//   "ptxas input.ptx, line 7; error   : …"      a diagnostic with its line
//   "ptxas info    : (C7508) Potential …"       advice: a warning of kind "performance"
//   "ptxas info    : Used 10 registers, …"      resources, with the words of many versions
//
// Lines of no known shape are passed over: the words changed over the years and will again.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "action/action_result.h"
#include "base/diagnostic.h"
#include "base/int.h"
#include "worker/ptxas/messages.h"

namespace ptxfarm::worker {

// What the report of -v says of a function; what it doesn't is 0. The object says most of it too
// (and better): spills are only here.
struct LogResources {
  u32 registers = 0;
  u32 barriers = 0;
  u64 shared_bytes = 0;
  u64 frame_bytes = 0;
  u64 stack_bytes = 0;
  u64 spill_store_bytes = 0;
  u64 spill_load_bytes = 0;
  std::map<u32, u64> constant_bytes;  // By bank.

  friend bool operator==(const LogResources&, const LogResources&) = default;
};

// A diagnostic, and what it speaks of where that has a name.
struct LoggedDiagnostic {
  Diagnostic diagnostic;
  Subject subject = Subject::kNone;
  std::string name;

  friend bool operator==(const LoggedDiagnostic&, const LoggedDiagnostic&) = default;
};

struct CompilerLog {
  std::vector<LoggedDiagnostic> diagnostics;  // Sorted by place; each once.
  std::map<std::string, LogResources> functions;
  // The verdict that the errors give together; kOk where there are none.
  action::Outcome outcome = action::Outcome::kOk;
  bool out_of_memory = false;  // It asked for more than it was given.
  bool write_failed = false;   // It could not write its object.
  std::string text;            // The log without clocks, at most kLogBytesMax.
};

CompilerLog ReadLog(std::string_view text);

}  // namespace ptxfarm::worker
