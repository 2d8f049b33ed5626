#include "toolchain/ptx/check.h"

#include <algorithm>

#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"

namespace ptxfarm::ptx {
namespace {

void Add(CheckResult& result, const Diagnostics& more) {
  result.diagnostics.insert(result.diagnostics.end(), more.begin(), more.end());
  std::stable_sort(result.diagnostics.begin(), result.diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.place < b.place; });
}

}  // namespace

CheckResult Check(const Source& source, const VerifyOptions& options) {
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  if (tokens) return Check(*tokens, options);
  CheckResult result;
  Add(result, tokens.error());
  return result;
}

CheckResult Check(const TokenBuffer& tokens, const VerifyOptions& options) {
  CheckResult result;
  Add(result, tokens.warnings());
  Result<PartialModule, Diagnostics> parsed = ParseWhatCanBe(tokens);
  if (!parsed) {
    Add(result, parsed.error());
    return result;
  }
  if (!parsed->errors.empty()) {
    Add(result, parsed->errors);
    Add(result, VerifyAroundGaps(std::move(parsed->module), options));
    return result;
  }
  const Result<VerifiedModule, Diagnostics> verified = Verify(std::move(parsed->module), options);
  if (!verified) {
    Add(result, verified.error());
    return result;
  }
  Add(result, verified->warnings());
  result.is_accepted = true;
  result.head = verified->module().head;
  result.needs = verified->needs();
  for (const std::string_view name : verified->undefined_symbols())
    result.undefined_symbols.emplace_back(name);
  return result;
}

}  // namespace ptxfarm::ptx
