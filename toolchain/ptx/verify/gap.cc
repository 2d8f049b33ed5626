// Gaps: statements that could not be read. What their names are is unknown, so nothing is said of
// other uses of these names.
#include "toolchain/ptx/verify/verifier.h"

namespace ptxfarm::ptx {

void Verifier::NoteGap(Range tokens) {
  // A directive declares; an instruction's words touch each other, and it declares nothing.
  bool may_declare = false;
  for (u32 i = tokens.begin; i < tokens.end; ++i) {
    const Token& token = module_.TokenOf({i});
    if (token.Is(TokenKind::kDotWord))
      may_declare |= i == tokens.begin || token.offset() != module_.TokenOf({i - 1}).end();
    if (!token.Is(TokenKind::kName)) continue;
    if (const Symbol* const symbol = symbols_.Find(Text({i}))) {
      // Perhaps its definition, or the call that passes it.
      if (symbol->kind == SymbolKind::kFunction && syntax_ == nullptr)
        function_states_[symbol->index].is_defined = true;
      const auto passed = call_parameter_of_.find(symbol->index);
      if (symbol->kind == SymbolKind::kVariable && passed != call_parameter_of_.end())
        call_parameters_[passed->second].is_passed = true;
    }
    const Token& behind = module_.TokenOf({i + 1});  // The last token is no name.
    if (may_declare || behind.Is(TokenKind::kColon))
      DeclareUnknown({i}, behind.Is(TokenKind::kLess));
  }
}

// Behind its '}'.
void Verifier::NoteRestOfBody(const Function& function) {
  if (function.body.end >= module_.statements.size()) return;
  const Statement& behind = module_.statements[function.body.end];
  if (behind.kind != StatementKind::kGap || !module_.gaps[behind.index].is_of_body) return;
  NoteGap(module_.gaps[behind.index].tokens);
}

// A name whose declaration is wrong: it means something, and its uses are not wrong for that.
void Verifier::DeclareUnknown(TokenId name, bool is_range) {
  if (!name) return;
  const Symbol symbol{SymbolKind::kUndeclared, 0, name};
  if (is_range)
    symbols_.DeclareRange(Text(name), ~u32{0}, symbol);
  else
    symbols_.Declare(Text(name), symbol);
}

}  // namespace ptxfarm::ptx
