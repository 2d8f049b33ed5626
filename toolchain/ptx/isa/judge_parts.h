// The judges of judge_operand.h by what they look at; inside this folder only.
#pragma once

#include "toolchain/ptx/isa/judge_operand.h"

namespace ptxfarm::ptx::isa {

inline constexpr OperandFault kFits{};
inline OperandFault Fault(FaultKind kind, const ResolvedOperand& at) { return {kind, &at}; }

inline bool IsPlainName(const ResolvedOperand& operand) {
  return operand.syntax->kind == OperandKind::kName && !operand.syntax->is_inverted &&
         !operand.syntax->is_negative;
}

// %r1.b0: a part of a register that is no vector.
inline bool HasSelector(const ResolvedOperand& operand) {
  return operand.syntax->has_component && operand.variable != nullptr &&
         operand.variable->vector_size == 1;
}

inline bool IsConstant(const ResolvedOperand& operand) {
  return operand.meaning == Meaning::kInteger || operand.meaning == Meaning::kFloat;
}

inline std::string_view TextOf(const ResolvedOperand& operand, const OperandContext& context) {
  return context.module->TextOf(operand.syntax->token);
}

// judge_value.cc: a register or a constant, alone.
OperandFault JudgeRegister(const OperandSpec& spec, const ResolvedOperand& operand);
OperandFault JudgeConstant(const OperandSpec& spec, const ResolvedOperand& operand,
                           const OperandContext& context);
OperandFault JudgeValue(const OperandSpec& spec, const ResolvedOperand& operand,
                        const OperandContext& context);
OperandFault JudgeNegatable(const OperandSpec& spec, const ResolvedOperand& operand,
                            const OperandContext& context);
OperandFault JudgeSpecialRegister(const OperandSpec& spec, const ResolvedOperand& operand);
OperandFault JudgeAnything(const OperandSpec& spec, const ResolvedOperand& operand,
                           const OperandContext& context);
OperandFault JudgePointer(const OperandSpec& spec, const ResolvedOperand& operand);
OperandFault JudgePredicate(const ResolvedOperand& operand, bool may_negate);
OperandFault JudgeImmediate(const OperandSpec& spec, const ResolvedOperand& operand,
                            const OperandContext& context);

// judge_video.cc: a register with parts or lanes chosen.
OperandFault JudgeVideo(const OperandSpec& spec, const ResolvedOperand& operand,
                        const OperandContext& context);

// judge_vector.cc: registers in braces, or a register that is a vector.
OperandFault JudgeVector(const OperandSpec& spec, const ResolvedOperand& operand,
                         const OperandContext& context);
OperandFault JudgeVectorOrOne(const OperandSpec& spec, const ResolvedOperand& operand,
                              const OperandContext& context);

// judge_address.cc: what stands in brackets.
OperandFault JudgeAddress(const OperandSpec& spec, const ResolvedOperand& operand,
                          const OperandContext& context);
OperandFault JudgeTensorMemory(const ResolvedOperand& operand);
OperandFault JudgeTensorMap(const OperandSpec& spec, const ResolvedOperand& operand,
                            const OperandContext& context);
OperandFault JudgeFabricAddress(const OperandSpec& spec, const ResolvedOperand& operand);
OperandFault JudgeHandleAlone(const ResolvedOperand& operand, Type type);
OperandFault JudgeCoordinates(const OperandSpec& spec, const ResolvedOperand& operand,
                              const OperandContext& context);

}  // namespace ptxfarm::ptx::isa
