// Parsing of entries, functions, prototypes and lists of targets. PTX ISA 9.4 §11.2–§11.4.
#include "base/text.h"
#include "toolchain/ptx/parser.h"

namespace ptxfarm::ptx {
namespace {

u8 SiteBit(Site site) { return static_cast<u8>(site); }

}  // namespace

bool Parser::ParseFunction(Linkage linkage, TokenId linkage_token) {
  Function function{.word = Here(), .linkage = linkage, .linkage_token = linkage_token};
  function.is_entry = Text() == ".entry";
  const TokenId first = linkage_token ? linkage_token : function.word;
  if (!ParseFunctionHead(function)) return false;

  const u32 index = SizeOf(module_.functions);
  AddStatement(StatementKind::kFunction, first, index);
  const bool lacks_brace = AtBodyOnly();
  if (lacks_brace) ExpectedBehindLast("'{' or ';'");
  function.is_defined = At(TokenKind::kLeftBrace) || lacks_brace;
  module_.functions.push_back(function);
  if (function.is_defined) {
    const u32 begin = SizeOf(module_.statements);
    ParseBody();
    module_.functions[index].body = {begin, SizeOf(module_.statements)};
    return true;
  }
  // ptxas takes a declaration without its semicolon; the next statement ends it.
  if (At(TokenKind::kDotWord)) {
    const DirectiveDesc* const desc = FindDirective(Text());
    if (desc != nullptr && desc->MayStand(Site::kModule)) return true;
    return Expected("a directive, '{' or ';'");
  }
  const TokenId semicolon = Here();
  if (!ExpectSemicolon("'{' or ")) return false;
  if (!At(TokenKind::kLeftBrace)) return true;
  const Token& token = module_.TokenOf(semicolon);
  errors_.ReportSpan<kinds::kExpected>(token.offset(), token.end(), "no ';' in front of a body",
                                       ";");
  return false;
}

// At the beginning of a line, at what begins most bodies and follows no declaration.
bool Parser::AtBodyOnly() const {
  const bool is_declaration =
      AtWord(".reg") || AtWord(".param") || AtWord(".local") || AtWord(".loc");
  return (At(TokenKind::kName) || At(TokenKind::kAt) || is_declaration) && IsFirstOfLine();
}

// From .entry or .func to what stands in front of the body.
bool Parser::ParseFunctionHead(Function& function) {
  Advance();
  if (AtWord(".attribute") && !ParseAttributes(&function.attributes)) return false;
  if (!function.is_entry && At(TokenKind::kLeftParen) && !ParseParameters(&function.results))
    return false;
  if (!ParseFunctionName(&function.name, function.is_entry)) return false;
  if (At(TokenKind::kLeftParen)) {
    function.has_parameters = true;
    if (!ParseParameters(&function.parameters)) return false;
  }
  const Site site = function.is_entry ? Site::kEntry : Site::kFunction;
  return ParseFunctionDirectives(&function.directives, SiteBit(site));
}

// From the '{' of the body. The head is a gap, so its names stay unknown without a word.
void Parser::ParseBodyOfWrongHead(TokenId word) {
  const u32 index = SizeOf(module_.functions);
  AddStatement(StatementKind::kFunction, word, index);
  module_.functions.push_back({.word = word, .is_defined = true, .has_wrong_head = true});
  const u32 begin = SizeOf(module_.statements);
  ParseBody();
  module_.functions[index].body = {begin, SizeOf(module_.statements)};
}

bool Parser::ParseFunctionName(TokenId* name, bool is_entry) {
  if (!At(TokenKind::kName)) {
    Report<kinds::kBadName>(is_entry ? ".entry" : ".func", Shown());
    return false;
  }
  *name = Here();
  // A mangler may have kept dots: then a dotted word, or a dot alone, touches the name. Directives
  // may touch it too: ".entry k.maxntid 64".
  const Token behind = PeekBehind();
  const bool touches = behind.offset() == Peek().end();
  const bool is_dot = behind.Is(TokenKind::kDot) || behind.Is(TokenKind::kFloat);
  const bool is_word =
      behind.Is(TokenKind::kDotWord) && FindDirective(buffer_.TextOf(behind)) == nullptr;
  if (touches && (is_dot || is_word)) {
    const std::string_view rest = buffer_.source().text.substr(Peek().offset());
    const std::size_t length = std::min(rest.find_first_of(" \t\r\n\f({;/"), rest.size());
    errors_.ReportSpan<kinds::kDottedName>(behind.offset(),
                                           Peek().offset() + static_cast<u32>(length),
                                           Shortened(rest.substr(0, length)));
    return false;
  }
  Advance();
  return true;
}

bool Parser::ParseParameters(Range* range) {
  range->begin = SizeOf(module_.variables);
  Advance();
  if (!At(TokenKind::kRightParen)) {
    do {
      if (!ParseParameter()) return false;
    } while (AdvanceIf(TokenKind::kComma));
  }
  range->end = SizeOf(module_.variables);
  return Expect(TokenKind::kRightParen, "',' or ')'");
}

bool Parser::ParseParameter() {
  if (!AtWord(".param") && !AtWord(".reg")) return Expected("a parameter in .param or .reg");
  Variable variable;
  if (!ParseVariableHead(variable)) return false;
  if (AdvanceIfWord(".ptr")) {
    variable.is_ptr = true;
    if (At(TokenKind::kDotWord)) variable.ptr_space = StateSpaceNamed(Text());
    if (variable.ptr_space != StateSpace::kNone) {
      const StateSpace space = variable.ptr_space;
      if (space != StateSpace::kConst && space != StateSpace::kGlobal &&
          space != StateSpace::kLocal && space != StateSpace::kShared)
        return Expected(".const, .global, .local or .shared");
      Advance();
    }
    if (AtWord(".align") && !ParseAlign(&variable.ptr_align)) return false;
  }
  if (!Expect(TokenKind::kName, "the name of the parameter", &variable.name)) return false;
  if (At(TokenKind::kLeftBracket) && !ParseDimensions(variable)) return false;
  module_.variables.push_back(variable);
  return true;
}

bool Parser::ParseFunctionDirectives(Range* range, u8 places) {
  range->begin = SizeOf(module_.directives);
  range->end = range->begin;
  while (At(TokenKind::kDotWord)) {
    const DirectiveDesc* const desc = FindDirective(Text());
    // A declaration may lack its semicolon; then the next statement of the module stands here.
    constexpr u8 kTuning = Site::kEntry | Site::kFunction | Site::kPrototype;
    if (desc == nullptr || (desc->places & kTuning) == 0) {
      if (desc != nullptr && desc->MayStand(Site::kModule)) break;
      ReportMisplaced(Site::kInside);
      return false;
    }
    if ((desc->places & places) == 0) {
      // The pragma of a module behind a declaration without semicolon.
      if (desc->MayStand(Site::kModule)) break;
      const std::string_view where = (places & SiteBit(Site::kEntry)) != 0      ? "at an entry"
                                     : (places & SiteBit(Site::kFunction)) != 0 ? "at a function"
                                                                                : "in a prototype";
      Report<kinds::kMisplaced>(Text(), where, PlacesOf(*desc)).section = desc->section;
      return false;
    }
    if (!ParseFunctionDirective()) return false;
  }
  range->end = SizeOf(module_.directives);
  return true;
}

bool Parser::ParseFunctionDirective() {
  const DirectiveDesc& desc = *FindDirective(Text());
  FunctionDirective directive{.word = Here()};
  Advance();
  directive.values.begin = SizeOf(module_.expressions);
  if (!ParseDirectiveValues(desc)) return false;
  directive.values.end = SizeOf(module_.expressions);
  module_.directives.push_back(directive);
  return true;
}

// Literals only, as ptxas has them too; each is an expression of one node.
bool Parser::ParseDirectiveValues(const DirectiveDesc& desc) {
  const auto take = [&](ExpressionOp op) {
    module_.expressions.push_back({Here(), op, true});
    Advance();
  };
  switch (desc.values) {
    case Values::kNone: return true;
    case Values::kOne:
      if (!At(TokenKind::kInteger)) return Expected("a positive integer");
      take(ExpressionOp::kInteger);
      if (At(TokenKind::kComma)) return Expected("one number only");
      return true;
    case Values::kUpToThree:
      for (u32 count = 0; count < 3; ++count) {
        if (!At(TokenKind::kInteger)) return Expected("a positive integer");
        take(ExpressionOp::kInteger);
        if (!At(TokenKind::kComma)) return true;
        if (count < 2) Advance();
      }
      return Expected("three numbers at most");
    case Values::kLanguages:
      while (true) {
        if (!At(TokenKind::kString) && !At(TokenKind::kInteger))
          return Expected("a language: a name in quotes or a number");
        take(At(TokenKind::kString) ? ExpressionOp::kName : ExpressionOp::kInteger);
        if (!AdvanceIf(TokenKind::kComma)) return true;
      }
    case Values::kStrings:
      while (true) {
        if (!At(TokenKind::kString)) return Expected("a string in quotes");
        take(ExpressionOp::kName);
        if (!AdvanceIf(TokenKind::kComma)) return ExpectSemicolon("',' or ");
      }
  }
  return true;
}

bool Parser::ParsePrototype(TokenId label) {
  Prototype prototype{.word = Here(), .label = label};
  Advance();
  if (At(TokenKind::kLeftParen) && !ParseParameters(&prototype.results)) return false;
  if (!AtName("_")) return Expected("'_' in place of a name");
  Advance();
  if (At(TokenKind::kLeftParen) && !ParseParameters(&prototype.parameters)) return false;
  if (!ParseFunctionDirectives(&prototype.directives, SiteBit(Site::kPrototype))) return false;
  if (!ExpectSemicolon("a directive or ")) return false;
  AddStatement(StatementKind::kPrototype, label, module_.prototypes.size());
  module_.prototypes.push_back(prototype);
  return true;
}

bool Parser::ParseNameList(TokenId label) {
  const bool is_branch = Text() == ".branchtargets";
  NameList list{.word = Here(), .label = label, .names = {SizeOf(module_.names), 0}};
  do {
    Advance();
    ListedName listed;
    if (!Expect(TokenKind::kName, is_branch ? "a label" : "a function", &listed.name)) return false;
    if (is_branch && At(TokenKind::kLess) && !ParseRangeCount(&listed.range_count)) return false;
    module_.names.push_back(listed);
  } while (At(TokenKind::kComma));
  if (!ExpectSemicolon("',' or ")) return false;
  list.names.end = SizeOf(module_.names);
  AddStatement(is_branch ? StatementKind::kBranchTargets : StatementKind::kCallTargets, label,
               module_.name_lists.size());
  module_.name_lists.push_back(list);
  return true;
}

}  // namespace ptxfarm::ptx
