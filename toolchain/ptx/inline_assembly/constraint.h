// Constraints of asm operands: a row a letter.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "toolchain/ptx/inline_assembly/asm_statement.h"
#include "toolchain/ptx/isa/type.h"

namespace ptxfarm::ptx {

struct ConstraintDesc {
  char letter;
  Type type;  // As the compiler declares the register; kNone of those that are none.
  std::string_view meaning;
};

std::span<const ConstraintDesc> AllConstraints();

// An operand's constraint, read.
struct Constraint {
  const ConstraintDesc* desc = nullptr;  // Null where it is wrong.
  bool is_written = false;               // '=' or '+'
  bool is_read = false;                  // An input, or '+'.
  std::string fault;                     // What is wrong.
};

// Of operand `index`: "0" takes the class of operand 0.
Constraint ReadConstraint(std::span<const AsmOperand> operands, std::size_t index);

}  // namespace ptxfarm::ptx
