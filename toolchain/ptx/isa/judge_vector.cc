// Vectors. PTX ISA 9.4 §6.4.3.
#include "toolchain/ptx/isa/judge_parts.h"

namespace ptxfarm::ptx::isa {
namespace {

// The class that elements of a vector must share: floats don't mix with integers.
bool Mixes(Type a, Type b) {
  const TypeClass first = DescOf(a).type_class;
  const TypeClass second = DescOf(b).type_class;
  if (DescOf(a).bits != DescOf(b).bits) return true;
  if (first == TypeClass::kBits || second == TypeClass::kBits) return false;
  return (first == TypeClass::kFloat) != (second == TypeClass::kFloat);
}

OperandFault JudgeElements(const OperandSpec& spec, const ResolvedOperand& operand,
                           const OperandContext& context, bool is_written) {
  const ResolvedOperand* known = nullptr;  // An element with a type.
  for (std::size_t i = 0; i < operand.children.size(); ++i) {
    const ResolvedOperand& element = operand.children[i];
    if (element.meaning == Meaning::kUnknown) {
      known = &element;
      continue;
    }
    if (element.meaning == Meaning::kSink && is_written) continue;
    if (IsConstant(element) && is_written) return Fault(FaultKind::kKind, element);
    OperandSpec expected = spec;
    if (i == 0 && spec.first_is_index) expected.type = RuleOf("u32");
    if (const OperandFault fault = JudgeValue(expected, element, context)) return fault;
    if (element.meaning != Meaning::kRegister || (i == 0 && spec.first_is_index)) continue;
    if (known != nullptr && known->meaning == Meaning::kRegister &&
        Mixes(known->type, element.type))
      return Fault(FaultKind::kElements, element);
    known = &element;
  }
  // Only sinks: nothing would be done.
  if (known == nullptr && is_written) return Fault(FaultKind::kKind, operand);
  return kFits;
}

}  // namespace

OperandFault JudgeVector(const OperandSpec& spec, const ResolvedOperand& operand,
                         const OperandContext& context) {
  const bool is_written = spec.form == OperandForm::kDestinationVector;
  if (operand.meaning == Meaning::kVector) {
    if (spec.elements != 0 && operand.children.size() != spec.elements)
      return Fault(FaultKind::kLength, operand);
    return JudgeElements(spec, operand, context, is_written);
  }
  if (operand.meaning == Meaning::kSpecialRegister && spec.form == OperandForm::kAnyVector &&
      IsPlainName(operand)) {
    // ptxas gives the elements of a scalar one too.
    if (operand.vector_size != 1 && operand.vector_size != spec.elements)
      return Fault(FaultKind::kLength, operand);
    return JudgeSpecialRegister(spec, operand);
  }
  // A register that is a vector itself.
  if (operand.meaning != Meaning::kRegister || !IsPlainName(operand) || operand.vector_size == 1)
    return Fault(FaultKind::kKind, operand);
  if (spec.elements != 0 && operand.vector_size != spec.elements)
    return Fault(FaultKind::kLength, operand);
  if ((spec.type.registers & MaskOf(operand.type)) == 0) return Fault(FaultKind::kType, operand);
  return kFits;
}

// A vector of one may stand without its braces, but where braces are the shape of a fragment.
OperandFault JudgeVectorOrOne(const OperandSpec& spec, const ResolvedOperand& operand,
                              const OperandContext& context) {
  if (spec.elements != 1 || spec.needs_braces || operand.meaning == Meaning::kVector)
    return JudgeVector(spec, operand, context);
  if (spec.form == OperandForm::kDestinationVector) return JudgeRegister(spec, operand);
  return JudgeValue(spec, operand, context);
}

}  // namespace ptxfarm::ptx::isa
