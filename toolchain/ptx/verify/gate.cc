// What a construct asks of the module's version and target.
#include "toolchain/ptx/verify/verifier.h"

namespace ptxfarm::ptx {

void Verifier::CheckGate(const Gate& gate, TokenId at, std::string_view what,
                         std::string_view section) {
  const Token& token = module_.TokenOf(at);
  needs_.AskVersion(gate.since, token.offset(), token.length(), what);
  if (gate.target_min != 0)
    needs_.AskTargets(TargetsFrom(gate.target_min), token.offset(), token.length(), what);
  JudgeGate(gate, at, what, section);
}

// For the targets that the head names: the contents ask for none of them.
void Verifier::JudgeGate(const Gate& gate, TokenId at, std::string_view what,
                         std::string_view section) {
  const PtxVersion version = module_.head.version;
  // One fault: who writes for a newer GPU also names a newer version.
  if (version < gate.since) {
    Report<kinds::kVersionTooOld>(at, what, gate.since, VersionText()).section = section;
  } else if (gate.HasEnd() && version > gate.until) {
    Report<kinds::kEndedVersion>(at, what, gate.until, VersionText()).section = section;
  } else if (target_number_ < gate.target_min) {
    Diagnostic& diagnostic = Report<kinds::kTargetTooOld>(at, what, gate.target_min, TargetText());
    diagnostic.section = section;
    diagnostic.hint = "the GPU that is asked for plays no part";
  }
}

void Verifier::CheckDirectiveGate(TokenId word) {
  const DirectiveDesc* const desc = FindDirective(Text(word));
  if (desc == nullptr) return;
  CheckGate(desc->gate, word, fmt::format("'{}'", desc->word), desc->section);
}

std::string Verifier::VersionText() const { return ".version " + module_.head.version.ToString(); }

std::string Verifier::TargetText() const { return ".target " + module_.head.target.ToString(); }

}  // namespace ptxfarm::ptx
