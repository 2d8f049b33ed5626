// Parsing, the outermost part: the head, the statements of the module, and the cursor's words.
//
// Recursive descent over tokens, without recursion where a user can nest: blocks are statements in
// a row, expressions use a stack of operators (parse_expression.cc). One token decides nearly
// everywhere; a name and the token behind it tell a label from an instruction.
#include "toolchain/ptx/parse.h"

#include <algorithm>

#include "base/text.h"
#include "toolchain/ptx/cursor.h"
#include "toolchain/ptx/parser.h"

namespace ptxfarm::ptx {
namespace {

Linkage LinkageOf(std::string_view word) {
  if (word == ".visible") return Linkage::kVisible;
  if (word == ".extern") return Linkage::kExtern;
  if (word == ".weak") return Linkage::kWeak;
  if (word == ".common") return Linkage::kCommon;
  return Linkage::kNone;
}

}  // namespace

Result<Module, Diagnostics> Parse(const TokenBuffer& tokens) {
  PTXFARM_ASSIGN_OR_RETURN(PartialModule parsed, ParseWhatCanBe(tokens));
  if (!parsed.errors.empty()) return std::move(parsed.errors);
  return std::move(parsed.module);
}

Result<PartialModule, Diagnostics> ParseWhatCanBe(const TokenBuffer& tokens) {
  TokenCursor cursor(tokens);
  ErrorList errors(tokens.source());
  const std::optional<ModuleHead> head = ReadHead(cursor, errors);
  if (!head) return errors.Take();
  const auto first = static_cast<u32>(&cursor.Peek() - tokens.tokens().data());
  Parser parser(tokens, *head, std::move(errors));
  if (!parser.Run(first)) return parser.TakeErrors();
  return PartialModule{parser.TakeModule(), parser.TakeErrors()};
}

bool Parser::Run(u32 first) {
  ParseHeaderTokens(first);
  at_ = first;
  module_.statements.reserve(buffer_.tokens().size() / 8);
  module_.instructions.reserve(buffer_.tokens().size() / 8);
  module_.operands.reserve(buffer_.tokens().size() / 3);
  while (!AtEnd() && !errors_.is_full()) ParseModuleStatement();
  return !has_given_up_ && !errors_.is_full();
}

Diagnostics Parser::TakeErrors() {
  Diagnostics errors = errors_.Take();
  std::stable_sort(errors.begin(), errors.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.place < b.place; });
  return errors;
}

void Parser::ParseHeaderTokens(u32 end) {
  HeaderTokens& header = module_.header;
  header.targets.begin = SizeOf(module_.names);
  std::string_view word;
  for (u32 i = 0; i < end; ++i) {
    const Token& token = tokens_[i];
    if (token.Is(TokenKind::kLineMarker) || token.Is(TokenKind::kComma)) continue;
    if (token.Is(TokenKind::kDotWord))
      word = buffer_.TextOf(token);
    else if (word == ".version")
      header.version = {i};
    else if (word == ".target")
      module_.names.push_back({.name = {i}});
    else
      header.address_size = {i};
  }
  header.targets.end = SizeOf(module_.names);
}

void Parser::ParseModuleStatement() {
  const u32 begin = at_;
  bool is_whole = false;
  if (At(TokenKind::kSemicolon)) {
    Report<kinds::kEmptyStatement>();
    Advance();
    return;
  }
  if (At(TokenKind::kRightBrace)) {
    if (braces_missing_ > 0)
      --braces_missing_;  // It stands too late.
    else
      Report<kinds::kUnopenedBrace>();
    Advance();
    return;
  }
  if (At(TokenKind::kBackslash)) {
    Advance();
    return;
  }
  if (At(TokenKind::kDwarfMarker)) {
    is_whole = ParseDwarfLine();
  } else if (!At(TokenKind::kDotWord)) {
    Expected("a directive, as .entry, .func, .global");
    SkipStatementsOfBody();
    return AddGap(begin, true);
  } else {
    const std::string_view word = Text();
    const DirectiveDesc* const desc = FindDirective(word);
    if (desc != nullptr && !desc->MayStand(Site::kModule)) {
      ReportMisplaced(Site::kModule);
      SkipStatementsOfBody();
      return AddGap(begin, true);
    }
    if (word == ".entry" || word == ".func")
      is_whole = ParseFunction(Linkage::kNone, {});
    else if (LinkageOf(word) != Linkage::kNone)
      is_whole = ParseLinkedDeclaration();
    else if (word == ".pragma")
      is_whole = ParsePragma();
    else if (word == ".file")
      is_whole = ParseFile();
    else if (word == ".section")
      is_whole = ParseSection();
    else if (word == ".alias")
      is_whole = ParseAlias();
    else if (word == ".target")
      is_whole = ParseLaterTarget();
    else if (word == ".nv_intermediate_source_section")
      is_whole = ParseSourceSection();
    else if (StateSpaceNamed(word) != StateSpace::kNone && word != ".param" && word != ".sreg")
      is_whole = ParseVariables(Linkage::kNone);
    else
      ReportMisplaced(Site::kModule);
  }
  if (is_whole) return;
  if (at_ == begin) Advance();
  RecoverInModule(begin);
}

bool Parser::ParseLinkedDeclaration() {
  const TokenId token = Here();
  const Linkage linkage = LinkageOf(Text());
  Advance();
  if (AtWord(".entry") || AtWord(".func")) return ParseFunction(linkage, token);
  if (At(TokenKind::kDotWord) && LinkageOf(Text()) != Linkage::kNone) {
    Report<kinds::kExpected>("one linking directive only", Shown()).section = "11.6";
    return false;
  }
  if (AtWord(".global") || AtWord(".const") || AtWord(".shared") || AtWord(".tex"))
    return ParseVariables(linkage);
  Report<kinds::kExpected>(".entry, .func or a variable in .global, .const or .shared", Shown())
      .section = "11.6";
  return false;
}

// PTX ISA 9.4 §11.1.2: further ones may follow anywhere; what they ask for adds up.
bool Parser::ParseLaterTarget() {
  const TokenId first = Here();
  Range targets{SizeOf(module_.names), 0};
  do {
    Advance();
    ListedName listed;
    if (!Expect(TokenKind::kName, "a target or an option", &listed.name)) return false;
    module_.names.push_back(listed);
  } while (At(TokenKind::kComma));
  targets.end = SizeOf(module_.names);
  AddStatement(StatementKind::kTarget, first, module_.later_targets.size());
  module_.later_targets.push_back(targets);
  return true;
}

bool Parser::ParseAlias() {
  const TokenId first = Here();
  Advance();
  Alias alias;
  if (!Expect(TokenKind::kName, "the name of the alias", &alias.alias)) return false;
  if (!Expect(TokenKind::kComma, "',' and the name of a function")) return false;
  if (!Expect(TokenKind::kName, "the name of a function", &alias.aliasee)) return false;
  if (!ExpectSemicolon("")) return false;
  AddStatement(StatementKind::kAlias, first, module_.aliases.size());
  module_.aliases.push_back(alias);
  return true;
}

bool Parser::ParsePragma() {
  const TokenId first = Here();
  Pragma pragma{{SizeOf(module_.names), 0}};
  do {
    Advance();
    TokenId string;
    if (!Expect(TokenKind::kString, "a string in quotes", &string)) return false;
    module_.names.push_back({.name = string});
  } while (At(TokenKind::kComma));
  if (!ExpectSemicolon("',' or ")) return false;
  pragma.strings.end = SizeOf(module_.names);
  AddStatement(StatementKind::kPragma, first, module_.pragmas.size());
  module_.pragmas.push_back(pragma);
  return true;
}

// Behind the ';' or the body of the statement that begins at `begin`, or to what begins the next.
void Parser::RecoverInModule(u32 begin) {
  u32 depth = BracesOpenSince(begin);
  while (!AtEnd()) {
    if (AdvanceIf(TokenKind::kSemicolon)) break;
    if (At(TokenKind::kLeftBrace)) {
      // What is wrong in the body of a function with a wrong head still gets said.
      if (depth == 0 && !IsVariableAt(begin)) {
        AddGap(begin);
        return ParseBodyOfWrongHead({begin});
      }
      ++depth;
    }
    if (At(TokenKind::kRightBrace) && depth-- == 0) break;
    if (AtModuleOnly()) break;
    Advance();
  }
  AddGap(begin);
}

// Past statements that only a body has: one '}' too many stands before them, or their function's
// head is missing. To behind the '}' that ends them, or to what only modules have.
void Parser::SkipStatementsOfBody() {
  u32 depth = 0;
  do {
    if (At(TokenKind::kLeftBrace)) ++depth;
    if (At(TokenKind::kRightBrace) && depth-- == 0) return Advance();
    Advance();
  } while (!AtEnd() && !AtModuleOnly());
}

// At the beginning of a line, at what no body has.
bool Parser::AtModuleOnly() const {
  if (!At(TokenKind::kDotWord) || !IsFirstOfLine()) return false;
  const DirectiveDesc* const desc = FindDirective(Text());
  return desc != nullptr && desc->places == static_cast<u8>(Site::kModule);
}

// At the beginning of a line, at an entry or a function.
bool Parser::AtFunction() const {
  if (!At(TokenKind::kDotWord)) return false;
  const std::string_view word =
      LinkageOf(Text()) == Linkage::kNone ? Text() : buffer_.TextOf(PeekBehind());
  return (word == ".entry" || word == ".func") && IsFirstOfLine();
}

// Whether the statement there begins as a variable does, so that its braces are a list.
bool Parser::IsVariableAt(u32 begin) const {
  const std::string_view word = buffer_.TextOf(tokens_[begin]);
  const u32 behind = LinkageOf(word) == Linkage::kNone ? begin : begin + 1;
  return StateSpaceNamed(buffer_.TextOf(tokens_[behind])) != StateSpace::kNone;
}

void Parser::AddGap(u32 begin, bool is_of_body) {
  AddStatement(StatementKind::kGap, {begin}, module_.gaps.size());
  module_.gaps.push_back({{begin, at_}, is_of_body});
}

void Parser::ReportMisplaced(Site where) {
  const std::string_view word = Text();
  const std::string_view words = where == Site::kModule ? "between functions"
                                 : where == Site::kBody ? "in a body"
                                                        : "here";
  const DirectiveDesc* const desc = FindDirective(word);
  if (desc != nullptr) {
    Diagnostic& diagnostic = desc->MayStand(where)
                                 ? Report<kinds::kExpected>("another statement", Shown())
                                 : Report<kinds::kMisplaced>(word, words, PlacesOf(*desc));
    diagnostic.section = desc->section;
    return;
  }
  std::vector<std::string_view> candidates;
  for (const DirectiveDesc& other : AllDirectives()) candidates.push_back(other.word);
  const std::optional<std::string_view> nearest = Nearest(word, candidates);
  Diagnostic& diagnostic = Report<kinds::kUnknownDirective>(Shown());
  if (nearest) diagnostic.hint = fmt::format("did you mean '{}'?", *nearest);
}

const Token& Parser::PeekBehind() const {
  u32 behind = at_;
  if (AtEnd()) return tokens_[behind];
  do ++behind;
  while (tokens_[behind].Is(TokenKind::kLineMarker));
  return tokens_[behind];
}

bool Parser::Expect(TokenKind kind, std::string_view what, TokenId* id) {
  if (!At(kind)) return Expected(what);
  if (id != nullptr) *id = Here();
  Advance();
  return true;
}

bool Parser::Expected(std::string_view what) {
  Report<kinds::kExpected>(what, Shown());
  return false;
}

bool Parser::ExpectSemicolon(std::string_view others) {
  if (AdvanceIf(TokenKind::kSemicolon)) return true;
  const std::string what = fmt::format("{}';'", others);
  // A ';' that is missing at the end of a line is missing there, not where the next line begins.
  if (IsFirstOfLine() || AtEnd()) {
    ExpectedBehindLast(what);
    return AtEnd();
  }
  return Expected(what);
}

void Parser::ExpectedBehindLast(std::string_view what) {
  const Token& last = tokens_[last_];
  errors_.ReportSpan<kinds::kExpected>(last.end(), last.end(), what, Shown());
}

std::string Parser::Shown() const {
  return AtEnd() ? "the end of the text" : Shortened(Text(), 40);
}

bool Parser::IsFirstOfLine() const {
  const u32 begin = tokens_[last_].end();
  const u32 end = Peek().offset();
  return end > begin &&
         buffer_.source().text.substr(begin, end - begin).find('\n') != std::string_view::npos;
}

}  // namespace ptxfarm::ptx
