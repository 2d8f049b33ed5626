// Which operand of a statement is which of a form: some of a form's may be left out.
#pragma once

#include <array>

#include "toolchain/ptx/isa/judge_operand.h"

namespace ptxfarm::ptx::isa {

// The most operands of a form.
inline constexpr std::size_t kOperandsMax = 16;

struct Assignment {
  // For each operand of the form its operand in the statement; -1: left out.
  std::array<i8, kOperandsMax> operand{};
  OperandFault fault;        // Of the first operand that doesn't fit.
  std::size_t fault_at = 0;  // Which of the form's.
  std::size_t fitting = 0;   // Operands before it.
  bool has_count = false;    // The statement has as many operands as the form can have.
};

// The assignment that fits, else the one that goes furthest.
Assignment Assign(const Overload& overload, std::span<const ResolvedOperand> operands,
                  const OperandContext& context);

}  // namespace ptxfarm::ptx::isa
