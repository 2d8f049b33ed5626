// Parsing of constant expressions, into postfix. PTX ISA 9.4 §4.5.
//
// Operators wait on a stack until one that binds less comes (Dijkstra's shunting yard), so that
// depth costs no recursion.
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/parser.h"

namespace ptxfarm::ptx {
namespace {

// What waits on the stack besides operators.
constexpr ExpressionOp kOpenParen = ExpressionOp::kListBegin;
constexpr ExpressionOp kOpenQuestion = ExpressionOp::kListEnd;

constexpr u8 kNothing = 0;      // Of what only its partner takes off the stack.
constexpr u8 kConditional = 1;  // Binds least, and to the right.
constexpr u8 kUnary = 12;

struct BinaryOperator {
  TokenKind token;
  ExpressionOp op;
  u8 precedence;
};

// clang-format off
constexpr BinaryOperator kBinaryOperators[] = {
    {TokenKind::kStar,               ExpressionOp::kMultiply,     11},
    {TokenKind::kSlash,              ExpressionOp::kDivide,       11},
    {TokenKind::kPercent,            ExpressionOp::kRemainder,    11},
    {TokenKind::kPlus,               ExpressionOp::kAdd,          10},
    {TokenKind::kMinus,              ExpressionOp::kSubtract,     10},
    {TokenKind::kLessLess,           ExpressionOp::kShiftLeft,     9},
    {TokenKind::kGreaterGreater,     ExpressionOp::kShiftRight,    9},
    {TokenKind::kLess,               ExpressionOp::kLess,          8},
    {TokenKind::kGreater,            ExpressionOp::kGreater,       8},
    {TokenKind::kLessEqual,          ExpressionOp::kLessEqual,     8},
    {TokenKind::kGreaterEqual,       ExpressionOp::kGreaterEqual,  8},
    {TokenKind::kEqualEqual,         ExpressionOp::kEqual,         7},
    {TokenKind::kBangEqual,          ExpressionOp::kNotEqual,      7},
    {TokenKind::kAmpersand,          ExpressionOp::kBitAnd,        6},
    {TokenKind::kCaret,              ExpressionOp::kBitXor,        5},
    {TokenKind::kBar,                ExpressionOp::kBitOr,         4},
    {TokenKind::kAmpersandAmpersand, ExpressionOp::kAnd,           3},
    {TokenKind::kBarBar,             ExpressionOp::kOr,            2},
};
// clang-format on

const BinaryOperator* FindBinary(TokenKind token) {
  for (const BinaryOperator& row : kBinaryOperators)
    if (row.token == token) return &row;
  return nullptr;
}

}  // namespace

bool Parser::ParseExpression(Range* range) {
  range->begin = SizeOf(module_.expressions);
  if (!ParseExpressionInto()) return false;
  module_.expressions.back().ends_expression = true;
  range->end = SizeOf(module_.expressions);
  return true;
}

// Operators that bind at least so much, onto the output.
void Parser::PopOperators(u8 precedence) {
  while (!pending_operators_.empty() && pending_operators_.back().precedence >= precedence &&
         pending_operators_.back().precedence != kNothing) {
    const PendingOperator& top = pending_operators_.back();
    module_.expressions.push_back({top.token, top.op});
    pending_operators_.pop_back();
  }
}

bool Parser::ParseExpressionInto() {
  pending_operators_.clear();
  u32 parens = 0;
  while (true) {
    if (!ParsePrefixes(&parens) || !ParseTerm()) return false;
    while (parens > 0 && At(TokenKind::kRightParen)) {
      PopOperators(kConditional);
      if (pending_operators_.back().op != kOpenParen) return Expected("':' and a third part");
      ClosePending();
      --parens;
      Advance();
    }
    if (const BinaryOperator* const binary = FindBinary(Peek().kind())) {
      PopOperators(binary->precedence);
      if (!Pend(binary->op, binary->precedence)) return false;
    } else if (At(TokenKind::kQuestion)) {
      PopOperators(kConditional + 1);
      if (!Pend(kOpenQuestion, kNothing)) return false;
    } else if (At(TokenKind::kColon) && TakeColon()) {
      continue;
    } else {
      break;
    }
  }
  PopOperators(kConditional);
  if (pending_operators_.empty()) return true;
  return pending_operators_.back().op == kOpenQuestion ? Expected("':' and a third part")
                                                       : Expected("an operator or ')'");
}

// Takes the ')' of what opened it: plain, or behind generic or a mask.
void Parser::ClosePending() {
  pending_operators_.pop_back();
  if (pending_operators_.empty()) return;
  const PendingOperator& top = pending_operators_.back();
  if (top.op != ExpressionOp::kGeneric && top.op != ExpressionOp::kMask) return;
  module_.expressions.push_back({top.token, top.op});
  pending_operators_.pop_back();
}

bool Parser::Pend(ExpressionOp op, u8 precedence) {
  if (pending_operators_.size() >= kExpressionsNestedMax.value) {
    Report<kinds::kNestedTooDeep>(kExpressionsNestedMax.value, kExpressionsNestedMax.name);
    return false;
  }
  pending_operators_.push_back({op, precedence, Here()});
  Advance();
  return true;
}

// The ':' of the innermost '?', if one waits.
bool Parser::TakeColon() {
  PopOperators(kConditional);
  if (pending_operators_.empty() || pending_operators_.back().op != kOpenQuestion) return false;
  pending_operators_.back().op = ExpressionOp::kConditional;
  pending_operators_.back().precedence = kConditional;
  Advance();
  return true;
}

// Signs, casts and parentheses in front of a term.
bool Parser::ParsePrefixes(u32* parens) {
  while (true) {
    switch (Peek().kind()) {
      case TokenKind::kPlus:
        if (!Pend(ExpressionOp::kPlus, kUnary)) return false;
        break;
      case TokenKind::kMinus:
        if (!Pend(ExpressionOp::kMinus, kUnary)) return false;
        break;
      case TokenKind::kBang:
        if (!Pend(ExpressionOp::kNot, kUnary)) return false;
        break;
      case TokenKind::kTilde:
        if (!Pend(ExpressionOp::kComplement, kUnary)) return false;
        break;
      case TokenKind::kLeftParen: {
        if (PeekBehind().Is(TokenKind::kDotWord)) {
          if (!ParseCast()) return false;
          break;
        }
        if (!Pend(kOpenParen, kNothing)) return false;
        ++*parens;
        break;
      }
      case TokenKind::kName:
      case TokenKind::kInteger:
        // generic(x) and 0xFF00(x), of initializers.
        if (!PeekBehind().Is(TokenKind::kLeftParen)) return true;
        if (At(TokenKind::kName) && Text() != "generic") return true;
        if (!Pend(At(TokenKind::kName) ? ExpressionOp::kGeneric : ExpressionOp::kMask, kNothing) ||
            !Pend(kOpenParen, kNothing))
          return false;
        ++*parens;
        break;
      default: return true;
    }
  }
}

bool Parser::ParseCast() {
  const u32 paren = at_;
  Advance();
  const bool is_signed = AtWord(".s64");
  if (!is_signed && !AtWord(".u64")) return Expected(".s64 or .u64: constants have no other type");
  at_ = paren;
  if (!Pend(is_signed ? ExpressionOp::kToSigned : ExpressionOp::kToUnsigned, kUnary)) return false;
  Advance();
  return Expect(TokenKind::kRightParen, "')'");
}

bool Parser::ParseTerm() {
  ExpressionOp op = ExpressionOp::kInteger;
  switch (Peek().kind()) {
    case TokenKind::kInteger: break;
    case TokenKind::kFloat: op = ExpressionOp::kFloat; break;
    case TokenKind::kName: op = ExpressionOp::kName; break;
    default: return Expected("a constant");
  }
  module_.expressions.push_back({Here(), op});
  Advance();
  return true;
}

}  // namespace ptxfarm::ptx
