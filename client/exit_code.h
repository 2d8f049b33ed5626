// What the exit status of `ptxfarm` says. Scripts rely on the numbers: they never change.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "action/action_result.h"
#include "base/result.h"

namespace ptxfarm::client {

// Where several apply to one call, the highest number is its status.
enum class ExitCode : u8 {
  kOk = 0,
  kInput = 1,    // Some input was wrong; the diagnostics say what.
  kUsage = 2,    // The command line or configuration is wrong; nothing was done.
  kService = 3,  // The farm could not do it: no server, no token, limits, a fault.
  kFile = 4,     // A file could not be read or written.
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view name;  // As in JSON: "input".
  std::string_view meaning;
};

std::span<const ExitCodeRow> ExitCodes();
std::string_view NameOf(ExitCode code);

inline ExitCode Worse(ExitCode a, ExitCode b) { return std::max(a, b); }

// What one target's outcome means for the call.
ExitCode ExitCodeOf(action::Outcome outcome);
// What an error of the client library means for the call: a refused request is usage, all else the
// service.
ExitCode ExitCodeOfCall(const Error& error);
// What an error of reading a file means: one that could be read, but isn't what it should be, is a
// wrong input.
ExitCode ExitCodeOfRead(const Error& error);

}  // namespace ptxfarm::client
