// What is said of operands that fit no form of the spelling.
#pragma once

#include "toolchain/ptx/error_list.h"
#include "toolchain/ptx/isa/judge_operand.h"

namespace ptxfarm::ptx::isa {

// Reports the one fault of the form that comes nearest.
//
//   opcode   the token of the mnemonic's first word
void ReportOperands(const Spelling& spelling, TokenId opcode,
                    std::span<const ResolvedOperand> operands, const OperandContext& context,
                    ErrorList& errors);

}  // namespace ptxfarm::ptx::isa
