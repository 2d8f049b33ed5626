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

// Lexes, parses and verifies. Where statements can't be read, those around them are judged all the
// same, without what would only follow from their absence. Nothing looks at the text afterwards.
CheckResult Check(const Source& source, const VerifyOptions& options = {});

// The same for a text that was lexed already.
CheckResult Check(const TokenBuffer& tokens, const VerifyOptions& options = {});

}  // namespace ptxfarm::ptx
