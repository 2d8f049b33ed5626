#include "toolchain/ptx/inline_assembly/check_inline.h"

#include <algorithm>

#include "toolchain/ptx/inline_assembly/check_statement.h"
#include "toolchain/ptx/inline_assembly/find_statements.h"
#include "toolchain/ptx/inline_assembly/inline_kinds.h"

namespace ptxfarm::ptx {

InlineCheckResult CheckInline(const Source& source, const InlineOptions& options) {
  InlineCheckResult result;
  const AsmStatements statements = FindAsmStatements(source.text);
  const LinePlaces places(source.text);
  SourceErrors errors(places);
  OpenNames open_names;
  for (const AsmStatement& statement : statements.found) GatherOpenNames(statement, open_names);
  for (const AsmStatement& statement : statements.found) {
    if (CheckStatement(statement, options, open_names, errors)) {
      ++result.statements_count;
      continue;
    }
    ++result.skipped_count;
    errors.Report<kinds::kAsmSkipped>(statement.span, "the text of a \"C\" operand isn't known");
  }
  for (const SkippedStatement& skipped : statements.skipped) {
    ++result.skipped_count;
    errors.Report<kinds::kAsmSkipped>(skipped.span, skipped.why);
  }
  result.diagnostics = errors.Take();
  std::stable_sort(result.diagnostics.begin(), result.diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.place < b.place; });
  result.is_accepted = std::ranges::none_of(result.diagnostics, [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::kError;
  });
  return result;
}

}  // namespace ptxfarm::ptx
