// Parsing of declarations of variables. PTX ISA 9.4 §5.4.
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/parser.h"

namespace ptxfarm::ptx {
namespace {

// "2" of ".v2"; 0 where the word is no vector, 1 where it is a vector of another size.
u8 VectorSizeOf(std::string_view word) {
  if (word.size() < 3 || word[1] != 'v' || word[2] < '0' || word[2] > '9') return 0;
  if (word == ".v2") return 2;
  if (word == ".v4") return 4;
  if (word == ".v8") return 8;
  return 1;
}

}  // namespace

bool Parser::ParseVariables(Linkage linkage) {
  const TokenId first = Here();
  Variable head{.linkage = linkage};
  if (!ParseVariableHead(head)) return false;
  do {
    Variable variable = head;
    if (!ParseVariableName(variable)) return false;
    AddStatement(StatementKind::kVariable, first, module_.variables.size());
    module_.variables.push_back(variable);
  } while (AdvanceIf(TokenKind::kComma));
  return ExpectSemicolon("',' or ");
}

// From the state space to the type.
bool Parser::ParseVariableHead(Variable& variable) {
  variable.space_token = Here();
  variable.space = StateSpaceNamed(Text());
  const bool may_have_bank = variable.space == StateSpace::kConst;
  Advance();
  if (may_have_bank && AdvanceIf(TokenKind::kLeftBracket)) {
    if (!Expect(TokenKind::kInteger, "the number of a constant bank", &variable.bank)) return false;
    if (!Expect(TokenKind::kRightBracket, "']'")) return false;
  }
  while (At(TokenKind::kDotWord)) {
    const std::string_view word = Text();
    if (word == ".align") {
      if (!ParseAlign(&variable.align)) return false;
    } else if (word == ".attribute") {
      if (!ParseAttributes(&variable.attributes)) return false;
    } else if (const u8 size = VectorSizeOf(word); size != 0) {
      if (size == 1) {
        Report<kinds::kBadVectorSize>(word).section = "5.4.2";
        return false;
      }
      if (variable.vector_size != 1) {
        Report<kinds::kRepeated>(word).section = "5.4.2";
        return false;
      }
      variable.vector_size = size;
      variable.vector_token = Here();
      Advance();
    } else {
      return ParseType(variable);
    }
  }
  return Expected("a type, as .b32");
}

bool Parser::ParseType(Variable& variable) {
  variable.type = TypeNamed(Text());
  variable.type_token = Here();
  if (variable.type == Type::kNone) {
    const DirectiveDesc* const desc = FindDirective(Text());
    if (desc != nullptr) return Expected("a type, as .b32");
    Diagnostic& diagnostic = Report<kinds::kUnknownType>(Text());
    diagnostic.section = "5.2";
    diagnostic.hint =
        "instructions may name it; a variable is of .b8 to .b128, .u8 to .u64, .s8 "
        "to .s64, .f16, .f16x2, .f32, .f64 or .pred";
    return false;
  }
  Advance();
  return true;
}

bool Parser::ParseAlign(TokenId* align) {
  Advance();
  return Expect(TokenKind::kInteger, "a power of two", align);
}

// .attribute(.managed, .unified(1, 2))
bool Parser::ParseAttributes(Range* range) {
  Advance();
  range->begin = SizeOf(module_.attributes);
  if (!Expect(TokenKind::kLeftParen, "'('")) return false;
  do {
    Attribute attribute;
    if (!AtWord(".managed") && !AtWord(".unified")) {
      Expected(".managed or .unified");
      return false;
    }
    const bool has_values = AtWord(".unified");
    attribute.name = Here();
    Advance();
    attribute.values.begin = SizeOf(module_.expressions);
    if (has_values) {
      if (!Expect(TokenKind::kLeftParen, "'(' and two numbers")) return false;
      for (u32 i = 0; i < 2; ++i) {
        if (i == 1 && !Expect(TokenKind::kComma, "',' and a second number")) return false;
        if (!At(TokenKind::kInteger)) return Expected("an integer");
        module_.expressions.push_back({Here(), ExpressionOp::kInteger, true});
        Advance();
      }
      if (!Expect(TokenKind::kRightParen, "')'")) return false;
    }
    attribute.values.end = SizeOf(module_.expressions);
    module_.attributes.push_back(attribute);
  } while (AdvanceIf(TokenKind::kComma));
  range->end = SizeOf(module_.attributes);
  return Expect(TokenKind::kRightParen, "',' or ')'");
}

// The name and what stands behind it.
bool Parser::ParseVariableName(Variable& variable) {
  if (!Expect(TokenKind::kName, "a name", &variable.name)) return false;
  if (At(TokenKind::kLess) && !ParseRangeCount(&variable.range_count)) return false;
  if (At(TokenKind::kLeftBracket) && !ParseDimensions(variable)) return false;
  if (At(TokenKind::kEqual) && !ParseInitializer(variable)) return false;
  return true;
}

// PTX ISA 9.4 §5.4.6: name<4>.
bool Parser::ParseRangeCount(TokenId* count) {
  Advance();
  if (!Expect(TokenKind::kInteger, "the number of names", count)) return false;
  return Expect(TokenKind::kGreater, "'>'");
}

bool Parser::ParseDimensions(Variable& variable) {
  variable.is_array = true;
  variable.dimensions.begin = SizeOf(module_.expressions);
  while (At(TokenKind::kLeftBracket)) {
    Advance();
    if (At(TokenKind::kRightBracket))
      module_.expressions.push_back({Here(), ExpressionOp::kListEnd, true});
    else if (Range size; !ParseExpression(&size))
      return false;
    if (!Expect(TokenKind::kRightBracket, "']'")) return false;
  }
  variable.dimensions.end = SizeOf(module_.expressions);
  return true;
}

// PTX ISA 9.4 §5.4.4: a value, or values in nested braces. Of opaque types `field = value`: the
// field is a name in front of its value (§5.3).
bool Parser::ParseInitializer(Variable& variable) {
  Advance();
  std::vector<ExpressionNode>& nodes = module_.expressions;
  variable.initializer.begin = SizeOf(nodes);
  u32 depth = 0;
  while (true) {
    if (At(TokenKind::kLeftBrace)) {
      if (++depth > kExpressionsNestedMax.value) {
        Report<kinds::kNestedTooDeep>(kExpressionsNestedMax.value, kExpressionsNestedMax.name);
        return false;
      }
      nodes.push_back({Here(), ExpressionOp::kListBegin, true});
      Advance();
      if (!At(TokenKind::kRightBrace)) continue;
    } else if (!ParseInitializerValue(depth > 0)) {
      return false;
    }
    while (depth > 0 && At(TokenKind::kRightBrace)) {
      nodes.push_back({Here(), ExpressionOp::kListEnd, true});
      Advance();
      --depth;
    }
    if (depth == 0) break;
    if (!Expect(TokenKind::kComma, "',' or '}'")) return false;
  }
  variable.initializer.end = SizeOf(nodes);
  return true;
}

bool Parser::ParseInitializerValue(bool may_have_field) {
  if (may_have_field && At(TokenKind::kName) && PeekBehind().Is(TokenKind::kEqual)) {
    module_.expressions.push_back({Here(), ExpressionOp::kField, true});
    Advance();
    Advance();
  }
  // Tables of data are literals, by the million.
  const bool is_integer = At(TokenKind::kInteger);
  if (is_integer || At(TokenKind::kFloat)) {
    const TokenKind behind = PeekBehind().kind();
    if (behind == TokenKind::kComma || behind == TokenKind::kRightBrace) {
      module_.expressions.push_back(
          {Here(), is_integer ? ExpressionOp::kInteger : ExpressionOp::kFloat, true});
      Advance();
      return true;
    }
  }
  Range value;
  return ParseExpression(&value);
}

}  // namespace ptxfarm::ptx
