#include "toolchain/ptx/constant.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace ptxfarm::ptx {
namespace {

// A value on its way through an expression.
struct Partial {
  i64 value = 0;
  bool is_unsigned = false;
  ConstantFault fault = ConstantFault::kNone;
  TokenId at;
  std::optional<double> number;  // In place of `value`.

  u64 bits() const { return static_cast<u64>(value); }
};

Partial Faulty(ConstantFault fault, TokenId at) { return {0, false, fault, at}; }

Partial Term(const Module& module, const ExpressionNode& node) {
  const std::string_view text = module.TextOf(node.token);
  if (node.op == ExpressionOp::kFloat) {
    const std::optional<double> number = ValueOfFloat(text);
    if (!number) return Faulty(ConstantFault::kFloatTooLarge, node.token);
    return {.at = node.token, .number = number};
  }
  if (node.op == ExpressionOp::kName) {
    if (text == "WARP_SZ") return {kWarpSize};
    return Faulty(ConstantFault::kName, node.token);
  }
  const Constant constant = ValueOfInteger(text).constant;
  return {constant.value, constant.is_unsigned};
}

bool IsPattern(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && ((text[1] | 0x20) == 'f' || (text[1] | 0x20) == 'd');
}

Partial UnaryOfFloat(const Module& module, ExpressionOp op, Partial a, TokenId token) {
  if (op != ExpressionOp::kPlus && op != ExpressionOp::kMinus)
    return Faulty(ConstantFault::kMixed, token);
  if (a.at && IsPattern(module.TextOf(a.at))) return Faulty(ConstantFault::kSignedPattern, token);
  if (op == ExpressionOp::kMinus) a.number = -*a.number;
  return a;
}

Partial Unary(const Module& module, ExpressionOp op, Partial a, TokenId token) {
  if (a.fault != ConstantFault::kNone) return a;
  if (a.number) return UnaryOfFloat(module, op, a, token);
  switch (op) {
    case ExpressionOp::kPlus: return a;
    case ExpressionOp::kMinus: return {static_cast<i64>(0 - a.bits()), a.is_unsigned};
    case ExpressionOp::kNot: return {a.value == 0 ? 1 : 0};
    case ExpressionOp::kComplement: return {static_cast<i64>(~a.bits()), true};
    case ExpressionOp::kToSigned: return {a.value, false};
    case ExpressionOp::kToUnsigned: return {a.value, true};
    default: return Faulty(ConstantFault::kAddress, token);
  }
}

Partial Divide(const Partial& a, const Partial& b, bool is_unsigned, bool remainder,
               TokenId token) {
  if (b.value == 0) return Faulty(ConstantFault::kDivisionByZero, token);
  if (is_unsigned) {
    const u64 value = remainder ? a.bits() % b.bits() : a.bits() / b.bits();
    return {static_cast<i64>(value), true};
  }
  // The one quotient that doesn't fit wraps.
  if (b.value == -1) return {remainder ? 0 : static_cast<i64>(0 - a.bits())};
  return {remainder ? a.value % b.value : a.value / b.value};
}

Partial Shift(const Partial& a, const Partial& b, bool to_left) {
  const u64 count = b.bits();
  if (count >= 64) return {!to_left && !a.is_unsigned && a.value < 0 ? -1 : 0, a.is_unsigned};
  if (to_left) return {static_cast<i64>(a.bits() << count), a.is_unsigned};
  if (a.is_unsigned) return {static_cast<i64>(a.bits() >> count), true};
  return {a.value >> count};
}

Partial BinaryOfFloats(ExpressionOp op, double a, double b, TokenId token) {
  switch (op) {
    case ExpressionOp::kMultiply: return {.number = a * b};
    case ExpressionOp::kDivide: return {.number = a / b};
    case ExpressionOp::kAdd: return {.number = a + b};
    case ExpressionOp::kSubtract: return {.number = a - b};
    default: return Faulty(ConstantFault::kMixed, token);
  }
}

bool IsLess(const Partial& a, const Partial& b, bool is_unsigned) {
  return is_unsigned ? a.bits() < b.bits() : a.value < b.value;
}

// PTX ISA 9.4 §4.5.5, the table of constant expression evaluation rules.
Partial Binary(ExpressionOp op, const Partial& a, const Partial& b, TokenId token) {
  using enum ExpressionOp;
  if (a.fault != ConstantFault::kNone) return a;
  if (a.number || b.number) {
    if (b.fault != ConstantFault::kNone) return b;
    if (!a.number || !b.number) return Faulty(ConstantFault::kMixed, token);
    return BinaryOfFloats(op, *a.number, *b.number, token);
  }
  // What isn't taken may be wrong.
  if (op == kAnd && a.value == 0) return {0};
  if (op == kOr && a.value != 0) return {1};
  if (b.fault != ConstantFault::kNone) return b;
  const bool is_unsigned = a.is_unsigned || b.is_unsigned;
  switch (op) {
    case kMultiply: return {static_cast<i64>(a.bits() * b.bits()), is_unsigned};
    case kDivide: return Divide(a, b, is_unsigned, false, token);
    case kRemainder: return Divide(a, b, is_unsigned, true, token);
    case kAdd: return {static_cast<i64>(a.bits() + b.bits()), is_unsigned};
    case kSubtract: return {static_cast<i64>(a.bits() - b.bits()), is_unsigned};
    case kShiftLeft: return Shift(a, b, true);
    case kShiftRight: return Shift(a, b, false);
    case kLess: return {IsLess(a, b, is_unsigned) ? 1 : 0};
    case kGreater: return {IsLess(b, a, is_unsigned) ? 1 : 0};
    case kLessEqual: return {IsLess(b, a, is_unsigned) ? 0 : 1};
    case kGreaterEqual: return {IsLess(a, b, is_unsigned) ? 0 : 1};
    case kEqual: return {a.value == b.value ? 1 : 0};
    case kNotEqual: return {a.value != b.value ? 1 : 0};
    case kBitAnd: return {a.value & b.value, true};
    case kBitXor: return {a.value ^ b.value, true};
    case kBitOr: return {a.value | b.value, true};
    case kAnd:
    case kOr: return {b.value != 0 ? 1 : 0};
    default: return Faulty(ConstantFault::kAddress, token);
  }
}

}  // namespace

IntegerLiteral ValueOfInteger(std::string_view text) {
  bool is_unsigned = false;
  if (text.ends_with('U')) {
    is_unsigned = true;
    text.remove_suffix(1);
  }
  u64 base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    text.remove_prefix(base == 8 ? 1 : 2);
  }
  u64 value = 0;
  bool wraps = false;
  for (const char c : text) {
    const u64 digit = static_cast<u64>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    if (value > (std::numeric_limits<u64>::max() - digit) / base) wraps = true;
    value = value * base + digit;
  }
  // What no .s64 has is a .u64 without being told.
  if (value > static_cast<u64>(std::numeric_limits<i64>::max())) is_unsigned = true;
  return {{static_cast<i64>(value), is_unsigned}, wraps};
}

std::optional<double> ValueOfFloat(std::string_view text) {
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'f') {
    u32 bits = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    return std::bit_cast<float>(bits);
  }
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'd') {
    u64 bits = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    return std::bit_cast<double>(bits);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc::result_out_of_range) return value;
  // Too small is 0, too large is none: a negative exponent tells which.
  return text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos
             ? std::optional<double>(0)
             : std::nullopt;
}

Evaluated Evaluate(const Module& module, Range nodes) {
  std::vector<Partial> stack;
  const auto pop = [&stack] {
    const Partial top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const ExpressionNode& node : Module::Of(module.expressions, nodes)) {
    if (node.op <= ExpressionOp::kName) {
      stack.push_back(Term(module, node));
    } else if (node.op <= ExpressionOp::kMask) {
      stack.back() = Unary(module, node.op, stack.back(), node.token);
    } else if (node.op == ExpressionOp::kConditional) {
      const Partial otherwise = pop();
      const Partial then = pop();
      const Partial condition = pop();
      Partial taken = condition.value != 0 ? then : otherwise;
      if (condition.fault != ConstantFault::kNone) taken = condition;
      taken.is_unsigned = then.is_unsigned || otherwise.is_unsigned;
      stack.push_back(taken);
    } else {
      const Partial right = pop();
      const Partial left = pop();
      stack.push_back(Binary(node.op, left, right, node.token));
    }
  }
  const Partial result = stack.back();
  return {{result.value, result.is_unsigned}, result.number, result.fault, result.at};
}

}  // namespace ptxfarm::ptx
