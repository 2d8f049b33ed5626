#include "toolchain/ptx/check.h"

#include <algorithm>

#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"

namespace ptxfarm::ptx {

CheckResult Check(const Source& source, const VerifyOptions& options) {
  CheckResult result;
  const auto add = [&result](const Diagnostics& more) {
    result.diagnostics.insert(result.diagnostics.end(), more.begin(), more.end());
    std::stable_sort(result.diagnostics.begin(), result.diagnostics.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.place < b.place; });
  };
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  if (!tokens) {
    add(tokens.error());
    return result;
  }
  add(tokens->warnings());
  Result<Module, Diagnostics> module = Parse(*tokens);
  if (!module) {
    add(module.error());
    return result;
  }
  const Result<VerifiedModule, Diagnostics> verified = Verify(*std::move(module), options);
  if (!verified) {
    add(verified.error());
    return result;
  }
  add(verified->warnings());
  result.is_accepted = true;
  result.head = verified->module().head;
  result.needs = verified->needs();
  for (const std::string_view name : verified->undefined_symbols())
    result.undefined_symbols.emplace_back(name);
  return result;
}

}  // namespace ptxfarm::ptx
