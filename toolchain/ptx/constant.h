// The values of literals and of constant expressions. PTX ISA 9.4 §4.5.
#pragma once

#include <optional>
#include <string_view>

#include "toolchain/ptx/ast.h"

namespace ptxfarm::ptx {

// Constants are 64-bit; a type says how operators read them.
struct Constant {
  i64 value = 0;
  bool is_unsigned = false;  // .u64
};

struct IntegerLiteral {
  Constant constant;
  bool wraps = false;  // More than 64 bits were written; the lower ones count.
};

// 12, 017, 0x1F, 0b11, each perhaps with U. The text is a token kInteger.
IntegerLiteral ValueOfInteger(std::string_view text);

// 1.5, 0f3F800000, 0d…. The text is a token kFloat; nothing where it is too large for a double.
std::optional<double> ValueOfFloat(std::string_view text);

inline constexpr i64 kWarpSize = 32;  // WARP_SZ

// What is wrong in an expression, and where.
enum class ConstantFault : u8 {
  kNone,
  kName,   // A name that is no constant.
  kMixed,  // Integers and floats in one operator, or an operator that floats don't have.
  kDivisionByZero,
  kFloatTooLarge,
  kSignedPattern,  // -0f3F800000: the pattern holds its sign.
  kAddress,        // generic() or a mask.
};

struct Evaluated {
  Constant constant;
  std::optional<double> number;  // Of an expression of floating-point literals, in place of it.
  ConstantFault fault = ConstantFault::kNone;
  TokenId at;  // Of the fault.
};

// The value of the expression at `nodes`, by PTX's rules: division truncates, shifts keep the left
// type, the rest follows the usual conversions; integers wrap at 64 bits. Floats have signs and the
// four basic operators, as ptxas has it; the manual leaves them out.
// A part that isn't taken (of ?:, && and ||) may divide by zero. Iterates; costs no more than the
// nodes.
Evaluated Evaluate(const Module& module, Range nodes);

}  // namespace ptxfarm::ptx
