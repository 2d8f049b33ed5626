// All phases in one call, for those who want to know whether a module is right, and no more.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "toolchain/ptx/verify.h"

namespace ptxfarm::ptx {

struct CheckResult {
  bool is_accepted = false;
  Diagnostics diagnostics;  // Errors up to a bound, and warnings, in order of place.
  // Of accepted modules only.
  std::optional<ModuleHead> head;
  Needs needs;
  std::vector<std::string> undefined_symbols;
};

// Lexes, parses and verifies. A text that can't be read as PTX is not judged further: what a
// missing ';' makes of the names behind it helps nobody. Nothing looks at the text afterwards.
CheckResult Check(const Source& source, const VerifyOptions& options = {});

// The same for a text that was lexed already.
CheckResult Check(const TokenBuffer& tokens, const VerifyOptions& options = {});

}  // namespace ptxfarm::ptx
