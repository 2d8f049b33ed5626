// Shows what is wrong with a module: once, however many targets say it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "client/lib/client.h"
#include "client/terminal.h"

namespace ptxfarm::client {

struct ShownDiagnostic {
  Diagnostic diagnostic;
  std::vector<std::string>
      targets;  // Those that say it; empty where it holds for all that were asked.
};

// The diagnostics of a reply, sorted by place: those of the module, and those of its targets with
// equal ones joined.
std::vector<ShownDiagnostic> CollectDiagnostics(const CompileReply& reply);

// "k.ptx:7:5: error: … [needs-target] (sm_75, sm_80)", a line each. With `snippets` the source line
// and a caret below.
std::string RenderDiagnostics(std::span<const ShownDiagnostic> diagnostics, const std::string& file,
                              std::string_view text, bool snippets, bool color);

}  // namespace ptxfarm::client
