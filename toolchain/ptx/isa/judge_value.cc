// Registers and constants that stand alone.
#include "toolchain/ptx/isa/judge_parts.h"

#include <optional>

#include "toolchain/ptx/constant.h"
#include "toolchain/ptx/isa/special_registers.h"

namespace ptxfarm::ptx::isa {
namespace {

// 0f3F800000: the bits of a .f32.
bool IsSinglePattern(const ResolvedOperand& operand, const OperandContext& context) {
  const std::string_view text = TextOf(operand, context);
  return text.size() > 1 && text[0] == '0' && (text[1] | 0x20) == 'f';
}

}  // namespace

OperandFault JudgeRegister(const OperandSpec& spec, const ResolvedOperand& operand) {
  if (operand.meaning != Meaning::kRegister || !IsPlainName(operand) || HasSelector(operand))
    return Fault(FaultKind::kKind, operand);
  if (operand.vector_size != 1) return Fault(FaultKind::kLength, operand);
  if ((spec.type.registers & MaskOf(operand.type)) == 0) return Fault(FaultKind::kType, operand);
  return kFits;
}

// Constants: integers for integers and bits; floats for floats; of bits also those of their size.
OperandFault JudgeConstant(const OperandSpec& spec, const ResolvedOperand& operand,
                           const OperandContext& context) {
  if (operand.syntax->kind == OperandKind::kName && TextOf(operand, context) != "WARP_SZ")
    return Fault(FaultKind::kKind, operand);
  if (operand.meaning == Meaning::kInteger) {
    if (!spec.type.takes_integers) return Fault(FaultKind::kKind, operand);
    if (!spec.range.empty() && !IsInRange(spec.range, operand.value))
      return Fault(FaultKind::kRange, operand);
    return kFits;
  }
  if (operand.meaning == Meaning::kFloat) {
    if (!spec.type.takes_floats) return Fault(FaultKind::kKind, operand);
    const bool is_float = !spec.type.takes_integers;
    if (!is_float && IsSinglePattern(operand, context) != (spec.type.bits == 32))
      return Fault(FaultKind::kKind, operand);
    return kFits;
  }
  return Fault(FaultKind::kKind, operand);
}

OperandFault JudgeValue(const OperandSpec& spec, const ResolvedOperand& operand,
                        const OperandContext& context) {
  return IsConstant(operand) ? JudgeConstant(spec, operand, context) : JudgeRegister(spec, operand);
}

// -%r1 as %r1: the sign was allowed.
OperandFault JudgeNegatable(const OperandSpec& spec, const ResolvedOperand& operand,
                            const OperandContext& context) {
  if (operand.meaning != Meaning::kRegister || !operand.syntax->is_negative)
    return JudgeValue(spec, operand, context);
  if (operand.syntax->is_inverted || operand.syntax->kind != OperandKind::kName ||
      HasSelector(operand) || operand.vector_size != 1)
    return Fault(FaultKind::kKind, operand);
  return (spec.type.registers & MaskOf(operand.type)) != 0 ? kFits
                                                           : Fault(FaultKind::kType, operand);
}

// A special register as mov reads it: of its own size, or one that it had in older versions.
OperandFault JudgeSpecialRegister(const OperandSpec& spec, const ResolvedOperand& operand) {
  const OtherWidths others = AllSpecialRegisters()[operand.special_register].other_widths;
  const u16 bits = spec.type.bits;
  const bool is_width = bits == DescOf(operand.type).bits ||
                        (bits == 16 && others != OtherWidths::kNone) ||
                        (bits == 32 && others == OtherWidths::k16And32);
  return is_width && spec.type.takes_integers ? kFits : Fault(FaultKind::kType, operand);
}

OperandFault JudgeAnything(const OperandSpec& spec, const ResolvedOperand& operand,
                           const OperandContext& context) {
  switch (operand.meaning) {
    case Meaning::kSpecialRegister:
      if (!IsPlainName(operand)) return Fault(FaultKind::kKind, operand);
      if (operand.vector_size != 1) return Fault(FaultKind::kLength, operand);
      return JudgeSpecialRegister(spec, operand);
    case Meaning::kVariable:
    case Meaning::kFunction:
    case Meaning::kEntry: {
      if (operand.syntax->is_inverted || operand.syntax->is_negative ||
          operand.syntax->has_component)
        return Fault(FaultKind::kKind, operand);
      const bool is_wide = spec.type.bits == context.address_bits;
      // Addresses of shared and local memory and of parameters fit 32 bits, and so do functions.
      const bool is_window = operand.space != StateSpace::kGlobal;
      const bool fits =
          spec.type.takes_integers && (is_wide || (spec.type.bits >= 32 && is_window));
      return fits ? kFits : Fault(FaultKind::kType, operand);
    }
    default: return JudgeValue(spec, operand, context);
  }
}

OperandFault JudgePointer(const OperandSpec& spec, const ResolvedOperand& operand) {
  if (operand.meaning != Meaning::kVariable) return JudgeRegister(spec, operand);
  if (operand.syntax->is_inverted || operand.syntax->is_negative || operand.syntax->has_component)
    return Fault(FaultKind::kKind, operand);
  return operand.space == spec.space ? kFits : Fault(FaultKind::kSpace, operand);
}

OperandFault JudgePredicate(const ResolvedOperand& operand, bool may_negate) {
  if (operand.meaning == Meaning::kInteger && may_negate) return kFits;
  const bool is_special =
      operand.meaning == Meaning::kSpecialRegister && operand.type == Type::kPred;
  if ((operand.meaning != Meaning::kRegister && !is_special) ||
      operand.syntax->kind != OperandKind::kName || operand.syntax->is_negative ||
      operand.syntax->has_component || (operand.syntax->is_inverted && !may_negate))
    return Fault(FaultKind::kKind, operand);
  return operand.type == Type::kPred ? kFits : Fault(FaultKind::kType, operand);
}

OperandFault JudgeImmediate(const OperandSpec& spec, const ResolvedOperand& operand,
                            const OperandContext& context) {
  // "0.0..1.0": a float.
  if (spec.range.find("0.0") != std::string_view::npos) {
    if (operand.meaning != Meaning::kFloat) return Fault(FaultKind::kKind, operand);
    if (operand.syntax->kind != OperandKind::kFloat) return kFits;
    const std::optional<double> value = ValueOfFloat(TextOf(operand, context));
    const bool is_negative = operand.syntax->is_negative && value && *value != 0.0;
    return value && *value <= 1.0 && *value >= 0.0 && !is_negative
               ? kFits
               : Fault(FaultKind::kRange, operand);
  }
  if (operand.meaning != Meaning::kInteger) return Fault(FaultKind::kKind, operand);
  return spec.range.empty() || IsInRange(spec.range, operand.value)
             ? kFits
             : Fault(FaultKind::kRange, operand);
}

}  // namespace ptxfarm::ptx::isa
