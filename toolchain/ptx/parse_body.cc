// Parsing of bodies: blocks, labels, declarations, and what else is no instruction.
#include "base/text.h"
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/parser.h"

namespace ptxfarm::ptx {

// From its '{', or as if one stood here.
void Parser::ParseBody() {
  open_blocks_.clear();
  if (!At(TokenKind::kLeftBrace)) {
    open_blocks_.push_back({last_});
    AddStatement(StatementKind::kBlockBegin, {last_}, 0);
  }
  while (!AtEnd() && !errors_.is_full()) {
    if (At(TokenKind::kLeftBrace)) {
      if (open_blocks_.size() >= kBlocksNestedMax.value) {
        Report<kinds::kNestedTooDeep>(kBlocksNestedMax.value, kBlocksNestedMax.name);
        // The rest of such a text says nothing more.
        while (!AtEnd()) Advance();
        has_given_up_ = true;
        return;
      }
      open_blocks_.push_back(Here());
      AddStatement(StatementKind::kBlockBegin, Here(), 0);
      Advance();
    } else if (At(TokenKind::kRightBrace)) {
      open_blocks_.pop_back();
      AddStatement(StatementKind::kBlockEnd, Here(), 0);
      Advance();
      if (open_blocks_.empty()) return;
    } else if (AtFunction()) {
      // No body holds another: a '}' is missing, or stands behind this one.
      braces_missing_ += SizeOf(open_blocks_);
      ReportUnclosedBlock();
      return;
    } else {
      ParseBodyStatement();
    }
  }
  if (AtEnd() && !open_blocks_.empty()) ReportUnclosedBlock();
}

void Parser::ReportUnclosedBlock() {
  const Token& opening = module_.TokenOf(open_blocks_.back());
  errors_.ReportSpan<kinds::kUnclosedBrace>(opening.offset(), opening.end());
}

void Parser::ParseBodyStatement() {
  const u32 begin = at_;
  bool is_whole = false;
  switch (Peek().kind()) {
    case TokenKind::kName: is_whole = ParseLabelOrInstruction(); break;
    case TokenKind::kAt: is_whole = ParseInstruction(); break;
    case TokenKind::kDotWord: is_whole = ParseDirective(); break;
    case TokenKind::kDwarfMarker: is_whole = ParseDwarfLine(); break;
    case TokenKind::kBackslash: Advance(); return;
    case TokenKind::kSemicolon:
      Report<kinds::kEmptyStatement>();
      Advance();
      return;
    default: Expected("an instruction, a directive, a label or '}'");
  }
  if (is_whole) return;
  if (at_ == begin) Advance();
  RecoverInBody(begin);
  AddGap(begin);
}

bool Parser::ParseLabelOrInstruction() {
  if (!PeekBehind().Is(TokenKind::kColon)) return ParseInstruction();
  const TokenId label = Here();
  Advance();
  Advance();
  if (AtWord(".branchtargets") || AtWord(".calltargets")) return ParseNameList(label);
  if (AtWord(".callprototype")) return ParsePrototype(label);
  AddStatement(StatementKind::kLabel, label, 0);
  return true;
}

bool Parser::ParseDirective() {
  const std::string_view word = Text();
  if (word == ".loc") return ParseLocation(StatementKind::kLocation);
  const StateSpace space = StateSpaceNamed(word);
  if (space != StateSpace::kNone && space != StateSpace::kSreg && space != StateSpace::kTex)
    return ParseVariables(Linkage::kNone);
  if (word == ".pragma") return ParsePragma();
  if (word == ".loc_intermediate") return ParseLocation(StatementKind::kIntermediateLocation);
  if (word == ".branchtargets" || word == ".calltargets" || word == ".callprototype") {
    Report<kinds::kNeedsLabel>(word, word).section = FindDirective(word)->section;
    return false;
  }
  ReportMisplaced(Site::kBody);
  return false;
}

// Behind the ';' of the statement that begins at `begin`, or to the next '}' that is none of its
// own. What begins a statement on a line of its own also ends the wrong one: a ';' may be what is
// missing.
void Parser::RecoverInBody(u32 begin) {
  u32 depth = BracesOpenSince(begin);
  while (!AtEnd()) {
    if (AdvanceIf(TokenKind::kSemicolon)) return;
    if (At(TokenKind::kLeftBrace)) ++depth;
    if (At(TokenKind::kRightBrace) && depth-- == 0) return;
    const bool may_begin = At(TokenKind::kAt) || At(TokenKind::kDotWord) ||
                           (At(TokenKind::kName) && (PeekBehind().Is(TokenKind::kDotWord) ||
                                                     PeekBehind().Is(TokenKind::kColon)));
    if (may_begin && IsFirstOfLine()) return;
    Advance();
  }
}

u32 Parser::BracesOpenSince(u32 begin) const {
  u32 depth = 0;
  for (u32 i = begin; i < at_; ++i) {
    if (tokens_[i].Is(TokenKind::kLeftBrace)) ++depth;
    if (tokens_[i].Is(TokenKind::kRightBrace) && depth > 0) --depth;
  }
  return depth;
}

}  // namespace ptxfarm::ptx
