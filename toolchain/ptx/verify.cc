#include "toolchain/ptx/verify.h"

#include <algorithm>

#include "toolchain/ptx/verify/verifier.h"

namespace ptxfarm::ptx {

Result<VerifiedModule, Diagnostics> Verify(Module module, const VerifyOptions& options) {
  PTXFARM_CHECK(module.gaps.empty(), "a module with gaps is never right");
  Verifier verifier(std::make_shared<const Module>(std::move(module)), options);
  if (!verifier.Run()) return verifier.TakeDiagnostics();
  return verifier.TakeVerified();
}

Diagnostics VerifyAroundGaps(Module module, const VerifyOptions& options) {
  Verifier verifier(std::make_shared<const Module>(std::move(module)), options);
  verifier.Run();
  return verifier.TakeDiagnostics();
}

Verifier::Verifier(std::shared_ptr<const Module> module, const VerifyOptions& options)
    : owned_(std::move(module)),
      module_(*owned_),
      options_(options),
      errors_(module_.tokens->source()),
      warnings_(module_.tokens->source()),
      checker_(module_, errors_, warnings_) {}

bool Verifier::Run() {
  VerifyHead();
  for (u32 i = 0; i < module_.statements.size() && !errors_.is_full();) VerifyStatement(&i);
  // Every name is known below this line.
  VerifyAliases();
  VerifyDebugNames();
  VerifyLimits();
  return errors_.empty();
}

VerifiedModule Verifier::TakeVerified() {
  VerifiedModule verified;
  verified.module_ = std::move(owned_);
  verified.needs_ = std::move(needs_);
  verified.warnings_ = TakeDiagnostics();
  verified.undefined_symbols_ = std::move(undefined_symbols_);
  return verified;
}

Diagnostics Verifier::TakeDiagnostics() {
  Diagnostics all = errors_.Take();
  Diagnostics warnings = warnings_.Take();
  all.insert(all.end(), std::make_move_iterator(warnings.begin()),
             std::make_move_iterator(warnings.end()));
  std::stable_sort(all.begin(), all.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.place < b.place; });
  return all;
}

}  // namespace ptxfarm::ptx
