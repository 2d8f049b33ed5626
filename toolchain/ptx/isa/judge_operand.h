// One operand against what may stand there.
#pragma once

#include <string>

#include "toolchain/ptx/isa/spelling.h"
#include "toolchain/ptx/resolved_operand.h"

namespace ptxfarm::ptx::isa {

enum class FaultKind : u8 {
  kNone,
  kKind,         // A constant where a register is asked for, and the like.
  kType,         // A register of another type.
  kLength,       // A vector of another length.
  kElements,     // A vector of mixed types.
  kRange,        // A constant out of its range.
  kSpace,        // A variable in another state space.
  kWidth,        // A register too narrow for an address.
  kReadOnly,     // A parameter of an entry, written to.
  kTextureMode,  // A sampler in unified mode, or none in independent mode.
};

struct OperandFault {
  FaultKind kind = FaultKind::kNone;
  const ResolvedOperand* at = nullptr;  // The operand, or the part of it that is wrong.

  explicit operator bool() const { return kind != FaultKind::kNone; }
};

// What of the module's head operands depend on.
struct OperandContext {
  const Module* module = nullptr;
  u32 address_bits = 64;
  bool has_independent_textures = false;
};

// No fault where the operand's meaning is unknown: that is reported already.
OperandFault Judge(const OperandSpec& spec, const ResolvedOperand& operand,
                   const OperandContext& context);

// Whether the range of a row ("0..255") has the value.
bool IsInRange(std::string_view range, i64 value);

}  // namespace ptxfarm::ptx::isa
