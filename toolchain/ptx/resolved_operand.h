// What the names of an instruction's operands mean: the checks of instructions get this, and need
// no symbol table.
#pragma once

#include <span>

#include "toolchain/ptx/ast.h"
#include "toolchain/target/target.h"

namespace ptxfarm::ptx {

enum class Meaning : u8 {
  kUnknown,  // Undeclared or wrong, and reported: whoever meets it keeps silent.
  kRegister,
  kSpecialRegister,
  kInteger,   // A constant of integer type; `value`. WARP_SZ too.
  kFloat,     // A floating-point literal.
  kVariable,  // In memory: its address. kOffset: the address plus `value`.
  kFunction,
  kEntry,
  kLabel,
  kPrototype,  // .callprototype
  kBranchTargets,
  kCallTargets,
  kSink,
  kVector,  // The rest are made of others: see children.
  kAddress,
  kPair,
  kList,
};

// One for each Operand of the instruction, in the same order.
struct ResolvedOperand {
  const Operand* syntax = nullptr;
  Meaning meaning = Meaning::kUnknown;

  // Of a register, a special register, a variable: as declared; of a component `%r.x` that of the
  // element, with vector_size 1. A special register's is its own (.u32, .u64, .pred).
  Type type = Type::kNone;
  u8 vector_size = 1;
  StateSpace space = StateSpace::kNone;
  bool is_array = false;
  bool is_parameter = false;  // Of the entry or function, against .param of a body.
  bool is_entry_parameter = false;

  bool is_unsigned = false;  // Of an integer constant: its type is .u64.
  i64 value = 0;             // Of an integer constant, or the offset of an address.

  const Variable* variable = nullptr;  // Of registers and variables.
  u16 special_register = 0;            // The row of isa/special_registers.h.

  std::span<const ResolvedOperand> children;
};

struct ResolvedInstruction {
  const Module* module = nullptr;
  const Instruction* syntax = nullptr;
  std::span<const ResolvedOperand> operands;  // Those between its commas.
  // What the module says of itself; the GPU that it will be compiled for plays no part.
  PtxVersion version;
  Target target;
};

}  // namespace ptxfarm::ptx
