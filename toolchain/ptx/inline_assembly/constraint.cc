#include "toolchain/ptx/inline_assembly/constraint.h"

#include <algorithm>
#include <charconv>

namespace ptxfarm::ptx {
namespace {

// clang-format off
constexpr ConstraintDesc kConstraints[] = {
    {'h', Type::kB16,  "a 16-bit register"},
    {'r', Type::kB32,  "a 32-bit register"},
    {'l', Type::kB64,  "a 64-bit register"},
    {'q', Type::kB128, "a 128-bit register"},
    {'f', Type::kF32,  "a register of .f32"},
    {'d', Type::kF64,  "a register of .f64"},
    {'b', Type::kPred, "a predicate; clang only"},
    {'n', Type::kNone, "an integer constant"},
    {'C', Type::kNone, "a string whose text is put in"},
};
// clang-format on

const ConstraintDesc* Find(char letter) {
  for (const ConstraintDesc& desc : kConstraints)
    if (desc.letter == letter) return &desc;
  return nullptr;
}

constexpr std::string_view kKnown = "h, r, l, q, f, d, n or C is expected";

}  // namespace

std::span<const ConstraintDesc> AllConstraints() { return kConstraints; }

Constraint ReadConstraint(std::span<const AsmOperand> operands, std::size_t index) {
  const AsmOperand& operand = operands[index];
  std::string_view text = operand.constraint;
  Constraint constraint{.is_read = !operand.is_output};
  const auto fail = [&](std::string_view why) {
    constraint.fault = why;
    return constraint;
  };
  const bool has_sign = text.starts_with('=') || text.starts_with('+');
  if (has_sign) {
    constraint.is_written = true;
    constraint.is_read = text[0] == '+';
    text.remove_prefix(1);
  }
  while (text.starts_with('&') || text.starts_with('%')) text.remove_prefix(1);
  if (operand.is_output && !has_sign) return fail("an output begins with '=' or '+'");
  if (!operand.is_output && has_sign) return fail("'=' and '+' stand in the first list only");
  if (text.empty()) return fail(kKnown);

  if (text.find_first_not_of("0123456789") == text.npos) {
    std::size_t other = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), other);
    const bool is_known = error == std::errc() && other < operands.size() &&
                          operands[other].is_output && other != index;
    if (operand.is_output || !is_known) return fail("a number names an output");
    constraint.desc = ReadConstraint(operands, other).desc;
    return constraint;
  }
  if (text.size() > 1) return fail("one letter is expected");
  constraint.desc = Find(text[0]);
  if (constraint.desc == nullptr) return fail(kKnown);
  if (operand.is_output && constraint.desc->type == Type::kNone) {
    constraint.desc = nullptr;
    return fail("a constant is no output");
  }
  return constraint;
}

}  // namespace ptxfarm::ptx
