#include "toolchain/ptx/isa/judge_operand.h"

#include <optional>

#include "toolchain/ptx/isa/judge_parts.h"

namespace ptxfarm::ptx::isa {
namespace {

OperandFault ByMeaning(bool fits, const ResolvedOperand& operand) {
  return fits ? kFits : Fault(FaultKind::kKind, operand);
}

OperandFault JudgeForm(const OperandSpec& spec, const ResolvedOperand& operand,
                       const OperandContext& context) {
  const Meaning meaning = operand.meaning;
  switch (spec.form) {
    case OperandForm::kDestination:
    case OperandForm::kRegister: return JudgeRegister(spec, operand);
    case OperandForm::kValue: return JudgeValue(spec, operand, context);
    case OperandForm::kNegatableValue: return JudgeNegatable(spec, operand, context);
    case OperandForm::kSpecialValue:
      return meaning == Meaning::kSpecialRegister
                 ? ByMeaning(IsPlainName(operand) && operand.vector_size == 1, operand)
                 : JudgeValue(spec, operand, context);
    case OperandForm::kAnything: return JudgeAnything(spec, operand, context);
    case OperandForm::kPointer: return JudgePointer(spec, operand);
    case OperandForm::kPredicateDestination:
    case OperandForm::kPredicate: return JudgePredicate(operand, false);
    case OperandForm::kNegatablePredicate: return JudgePredicate(operand, true);
    case OperandForm::kDestinationVector:
    case OperandForm::kSourceVector:
    case OperandForm::kAnyVector: return JudgeVectorOrOne(spec, operand, context);
    case OperandForm::kImmediate: return JudgeImmediate(spec, operand, context);
    case OperandForm::kAddress:
    case OperandForm::kUnifiedAddress: return JudgeAddress(spec, operand, context);
    case OperandForm::kTensorMemory: return JudgeTensorMemory(operand);
    case OperandForm::kTensorMap: return JudgeTensorMap(spec, operand, context);
    case OperandForm::kFabricAddress: return JudgeFabricAddress(spec, operand);
    case OperandForm::kTexture:
    case OperandForm::kTextureAndSampler:
    case OperandForm::kSurface: return JudgeCoordinates(spec, operand, context);
    case OperandForm::kGradient: return JudgeVector(spec, operand, context);
    case OperandForm::kTexelOffset: return JudgeVectorOrOne(spec, operand, context);
    case OperandForm::kIm2col: {
      OperandSpec vector = spec;
      vector.type = RuleOf("u16");
      return JudgeVector(vector, operand, context);
    }
    case OperandForm::kByteSource:
    case OperandForm::kNegatableByteSource:
    case OperandForm::kByteDestination:
    case OperandForm::kTwoLaneSource:
    case OperandForm::kTwoLaneDestination:
    case OperandForm::kFourLaneSource:
    case OperandForm::kFourLaneDestination: return JudgeVideo(spec, operand, context);
    case OperandForm::kLabel: return ByMeaning(meaning == Meaning::kLabel, operand);
    case OperandForm::kFunction:
      return ByMeaning(meaning == Meaning::kFunction || meaning == Meaning::kEntry, operand);
    case OperandForm::kArguments:
    case OperandForm::kResults: return ByMeaning(meaning == Meaning::kList, operand);
    case OperandForm::kFunctionPointer: return ByMeaning(meaning == Meaning::kRegister, operand);
    case OperandForm::kPrototype:
      return ByMeaning(meaning == Meaning::kPrototype || meaning == Meaning::kCallTargets ||
                           meaning == Meaning::kVariable,
                       operand);
    case OperandForm::kTargets: return ByMeaning(meaning == Meaning::kBranchTargets, operand);
    case OperandForm::kSink: return ByMeaning(meaning == Meaning::kSink, operand);
    case OperandForm::kTextureName: return JudgeHandleAlone(operand, Type::kTexref);
    case OperandForm::kSamplerName: return JudgeHandleAlone(operand, Type::kSamplerref);
    case OperandForm::kSurfaceName: return JudgeHandleAlone(operand, Type::kSurfref);
  }
  return kFits;
}

// d|p
OperandFault JudgePair(const OperandSpec& spec, const ResolvedOperand& pair,
                       const OperandContext& context) {
  if (!spec.takes_pair) return Fault(FaultKind::kKind, pair);
  const ResolvedOperand& first = pair.children[0];
  const ResolvedOperand& second = pair.children[1];
  const bool is_predicate = spec.form == OperandForm::kPredicateDestination;
  const bool first_is_sink = first.meaning == Meaning::kSink;
  const bool second_is_sink = second.meaning == Meaning::kSink;
  if (first_is_sink && second_is_sink) return Fault(FaultKind::kKind, pair);
  if (first_is_sink ? !spec.takes_sink && !is_predicate : first.meaning != Meaning::kUnknown) {
    if (const OperandFault fault = JudgeForm(spec, first, context)) return fault;
  }
  if (second_is_sink)
    return spec.needs_pair && !is_predicate ? Fault(FaultKind::kKind, second) : kFits;
  return second.meaning == Meaning::kUnknown ? kFits : JudgePredicate(second, false);
}

// The number at the start of `text`, which is cut off.
std::optional<i64> TakeNumber(std::string_view& text) {
  const bool is_negative = text.starts_with("-");
  if (is_negative) text.remove_prefix(1);
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  i64 number = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    number = number * 10 + (text[0] - '0');
    text.remove_prefix(1);
  }
  return is_negative ? -number : number;
}

}  // namespace

OperandFault Judge(const OperandSpec& spec, const ResolvedOperand& operand,
                   const OperandContext& context) {
  switch (operand.meaning) {
    case Meaning::kUnknown: return kFits;
    case Meaning::kPair: return JudgePair(spec, operand, context);
    case Meaning::kSink:
      if (spec.takes_sink || spec.form == OperandForm::kSink ||
          (spec.form == OperandForm::kPredicateDestination && spec.takes_pair && !spec.needs_pair))
        return kFits;
      return Fault(FaultKind::kKind, operand);
    default:
      if (spec.needs_pair) return Fault(FaultKind::kKind, operand);
      return JudgeForm(spec, operand, context);
  }
}

bool IsInRange(std::string_view range, i64 value) {
  bool found = false;
  ForEachPart(range, '|', [&](std::string_view part) {
    const std::optional<i64> low = TakeNumber(part);
    if (!low) return;
    if (!part.starts_with("..")) {
      found |= value == *low;
      return;
    }
    part.remove_prefix(2);
    const std::optional<i64> high = TakeNumber(part);
    i64 step = 1;
    if (part.starts_with(" by ")) {
      part.remove_prefix(4);
      step = TakeNumber(part).value_or(1);
    }
    found |= value >= *low && (!high || value <= *high) && value % step == 0;
  });
  return found;
}

}  // namespace ptxfarm::ptx::isa
