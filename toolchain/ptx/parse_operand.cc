// Parsing of operands. PTX ISA 9.4 §6.
//
// Names are operands of their own; whatever else computes is a constant expression. Groups lie
// behind those that hold them: `open_operands_` is a stack of the groups that are still open.
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/parser.h"

namespace ptxfarm::ptx {
namespace {

// What may stand behind a whole operand.
bool EndsOperand(TokenKind kind) {
  switch (kind) {
    case TokenKind::kComma:
    case TokenKind::kSemicolon:
    case TokenKind::kRightBracket:
    case TokenKind::kRightBrace:
    case TokenKind::kRightParen:
    case TokenKind::kEnd: return true;
    default: return false;
  }
}

bool IsBinaryOperator(TokenKind kind) {
  switch (kind) {
    case TokenKind::kMinus:
    case TokenKind::kStar:
    case TokenKind::kSlash:
    case TokenKind::kPercent:
    case TokenKind::kLessLess:
    case TokenKind::kGreaterGreater:
    case TokenKind::kLess:
    case TokenKind::kGreater:
    case TokenKind::kLessEqual:
    case TokenKind::kGreaterEqual:
    case TokenKind::kEqualEqual:
    case TokenKind::kBangEqual:
    case TokenKind::kAmpersand:
    case TokenKind::kCaret:
    case TokenKind::kAmpersandAmpersand:
    case TokenKind::kBarBar:
    case TokenKind::kQuestion: return true;
    default: return false;
  }
}

}  // namespace

bool Parser::ParseOperand(u32 depth) {
  const u32 first = SizeOf(open_operands_);
  const TokenId token = Here();
  switch (Peek().kind()) {
    case TokenKind::kLeftBrace:
      if (!ParseGroup(OperandKind::kVector, TokenKind::kRightBrace, depth + 1)) return false;
      return depth > 0 || !At(TokenKind::kBar) || ParseSecond(token, first);
    case TokenKind::kLeftBracket:
      if (depth > 0) return Expected("a name or a constant: addresses don't nest");
      return ParseGroup(OperandKind::kAddress, TokenKind::kRightBracket, depth + 1);
    default: break;
  }
  if (!ParseSimpleOperand()) return false;
  const bool is_name = open_operands_[first].kind == OperandKind::kName ||
                       open_operands_[first].kind == OperandKind::kSink;
  return !is_name || !At(TokenKind::kBar) || ParseSecond(token, first);
}

// The predicate behind the '|' of a pair that begins at `token`.
bool Parser::ParseSecond(TokenId token, u32 first) {
  Advance();
  if (!At(TokenKind::kName)) return Expected("the second name of the pair");
  if (!ParseSimpleOperand()) return false;
  CloseGroup({.kind = OperandKind::kPair, .token = token}, first);
  return true;
}

bool Parser::ParseSimpleOperand() {
  const Token& token = Peek();
  const Token& behind = PeekBehind();
  switch (token.kind()) {
    case TokenKind::kName: return ParseNameOperand(false, false);
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      if (!EndsOperand(behind.kind())) return ParseExpressionOperand();
      open_operands_.push_back(
          {.kind = token.Is(TokenKind::kInteger) ? OperandKind::kInteger : OperandKind::kFloat,
           .token = Here()});
      Advance();
      return true;
    case TokenKind::kBang:
      if (!behind.Is(TokenKind::kName)) return ParseExpressionOperand();
      Advance();
      return ParseNameOperand(true, false);
    case TokenKind::kMinus: {
      if (behind.Is(TokenKind::kName) && buffer_.TextOf(behind) != "WARP_SZ") {
        Advance();
        return ParseNameOperand(false, true);
      }
      const bool is_float = behind.Is(TokenKind::kFloat);
      if (!is_float && !behind.Is(TokenKind::kInteger)) return ParseExpressionOperand();
      const u32 minus = at_;
      Advance();
      if (EndsOperand(PeekBehind().kind())) {
        open_operands_.push_back({.kind = is_float ? OperandKind::kFloat : OperandKind::kInteger,
                                  .is_negative = true,
                                  .token = Here()});
        Advance();
        return true;
      }
      at_ = minus;
      return ParseExpressionOperand();
    }
    case TokenKind::kPlus:
    case TokenKind::kTilde:
    case TokenKind::kLeftParen: return ParseExpressionOperand();
    default: return Expected("an operand");
  }
}

bool Parser::ParseNameOperand(bool is_inverted, bool is_negative) {
  const bool is_plain = !is_inverted && !is_negative;
  const TokenKind behind = PeekBehind().kind();
  const bool is_sum = behind == TokenKind::kPlus || behind == TokenKind::kBar;
  if (is_plain && (IsBinaryOperator(behind) || (is_sum && Text() == "WARP_SZ")))
    return ParseExpressionOperand();

  Operand operand{.is_inverted = is_inverted, .is_negative = is_negative, .token = Here()};
  if (Peek().length() == 1 && Text() == "_") operand.kind = OperandKind::kSink;
  Advance();
  if (At(TokenKind::kDotWord)) {
    operand.has_component = true;
    Advance();
  }
  if (At(TokenKind::kPlus) && !ParseOffset(operand)) return false;
  open_operands_.push_back(operand);
  return true;
}

// PTX ISA 9.4 §6.4.1: name+constant, where the constant may be negative.
bool Parser::ParseOffset(Operand& operand) {
  Advance();
  if (At(TokenKind::kPlus)) {
    Report<kinds::kBadAddress>("one sign stands between a name and its offset").section = "6.4.1";
    return false;
  }
  operand.kind = OperandKind::kOffset;
  Range nodes;
  if (!ParseExpression(&nodes)) return false;
  operand.first = nodes.begin;
  operand.count = nodes.size();
  return true;
}

bool Parser::ParseExpressionOperand() {
  Operand operand{.kind = OperandKind::kExpression, .token = Here()};
  Range nodes;
  if (!ParseExpression(&nodes)) return false;
  operand.first = nodes.begin;
  operand.count = nodes.size();
  open_operands_.push_back(operand);
  return true;
}

// The '.unified' behind an address is a part of the operand: PTX ISA 9.4 §9.7.9.8.
bool Parser::ParseGroup(OperandKind kind, TokenKind close, u32 depth) {
  if (depth > kOperandsNestedMax.value) {
    Report<kinds::kNestedTooDeep>(kOperandsNestedMax.value, kOperandsNestedMax.name);
    return false;
  }
  Operand operand{.kind = kind, .token = Here()};
  const std::size_t first = open_operands_.size();
  Advance();
  // A call may give no arguments; brackets and braces are never empty.
  if (kind != OperandKind::kList || !At(close)) {
    do {
      if (!ParseOperand(depth)) return false;
    } while (AdvanceIf(TokenKind::kComma));
  }
  if (!Expect(close, kind == OperandKind::kVector    ? "',' or '}'"
                     : kind == OperandKind::kAddress ? "',' or ']'"
                                                     : "',' or ')'"))
    return false;
  operand.is_unified = kind == OperandKind::kAddress && AdvanceIfWord(".unified");
  CloseGroup(operand, first);
  return true;
}

void Parser::CloseGroup(Operand operand, std::size_t first) {
  operand.first = SizeOf(closed_operands_);
  operand.count = static_cast<u32>(open_operands_.size() - first);
  const auto begin = open_operands_.begin() + static_cast<std::ptrdiff_t>(first);
  closed_operands_.insert(closed_operands_.end(), begin, open_operands_.end());
  open_operands_.erase(begin, open_operands_.end());
  open_operands_.push_back(operand);
}

}  // namespace ptxfarm::ptx
