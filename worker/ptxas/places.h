// Where what ptxas speaks of stands in the text: it tells no line of most limits, of symbols and
// pragmas, and the line after of a .file.
//
// Looks at tokens only. What it doesn't find keeps the place that ptxas gave.
#pragma once

#include <string_view>
#include <vector>

#include "worker/ptxas/log.h"

namespace ptxfarm::worker {

// The diagnostics in the order of their places in `text`, the one that was compiled.
Diagnostics DiagnosticsOf(std::vector<LoggedDiagnostic> logged, std::string_view text);

}  // namespace ptxfarm::worker
