// The farm's stored log as the words that ptxas prints for one call.
//
// The log is that of a compile with -v; a call sees what its own options ask for.
#pragma once

#include <string>
#include <string_view>

#include "action/action_result.h"
#include "client/dropin/ptxas/command_line.h"

namespace ptxfarm::dropin {

// Of a compile that went well; with the input's name as kNamePlace.
std::string LogText(const PtxasCall& call, std::string_view log);

// Whether it names lines of the text that was compiled.
bool HasPlaces(std::string_view log);

// The diagnostics of one that didn't, in ptxas's form.
std::string FailureText(const PtxasCall& call, const action::ActionResult& result);
std::string DiagnosticsText(const Diagnostics& diagnostics);

// What `ptxas --version` prints, of a compiler that isn't on this machine: with the words in which
// callers look for the version ("release 13.0", "V13.0.88") and with the digest of its bytes.
std::string VersionText(const std::string& version, const Sha256& sha256);

}  // namespace ptxfarm::dropin
