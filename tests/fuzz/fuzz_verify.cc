// Parser, verifier and printer over anything: no fault, errors in order and inside the text, and
// what is printed parses to as much.
#include <algorithm>
#include <string>
#include <string_view>

#include "toolchain/ptx/check.h"
#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/print.h"

namespace {

using namespace ptxfarm;       // NOLINT: the fuzzer's own file
using namespace ptxfarm::ptx;  // NOLINT

void CheckDiagnostics(const Diagnostics& diagnostics) {
  PTXFARM_CHECK(
      std::is_sorted(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.place < b.place; }),
      "diagnostics out of order");
}

void CheckPrint(const Module& module) {
  const std::string printed = Print(module, {.keeps_comments = true});
  const Source source{"printed", printed};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  PTXFARM_CHECK(tokens.has_value(), printed);
  const Result<Module, Diagnostics> again = Parse(*tokens);
  PTXFARM_CHECK(again.has_value(), printed);
  PTXFARM_CHECK(again->statements.size() == module.statements.size() &&
                    again->operands.size() == module.operands.size() &&
                    again->expressions.size() == module.expressions.size(),
                printed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
  const Source source{"fuzz", std::string_view(reinterpret_cast<const char*>(data), size)};
  for (const bool is_relocatable : {false, true}) {
    const CheckResult result = Check(source, {.is_relocatable = is_relocatable});
    CheckDiagnostics(result.diagnostics);
    const bool has_error =
        std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                    [](const Diagnostic& one) { return one.severity == Severity::kError; });
    PTXFARM_CHECK(result.is_accepted != has_error, "rejected without a word, or accepted with one");
  }
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  if (!tokens) return 0;
  const Result<Module, Diagnostics> module = Parse(*tokens);
  if (module) CheckPrint(*module);
  return 0;
}
