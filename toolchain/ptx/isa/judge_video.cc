// Operands of video instructions. PTX ISA 9.4 §9.7.19.
#include "toolchain/ptx/isa/judge_parts.h"

#include <algorithm>

namespace ptxfarm::ptx::isa {
namespace {

// .b0 … .b3, .h0, .h1
bool IsPart(std::string_view word) {
  return word.size() == 3 && ((word[1] == 'b' && word[2] >= '0' && word[2] <= '3') ||
                              (word[1] == 'h' && (word[2] == '0' || word[2] == '1')));
}

// .h10 of two lanes, .b3210 of four: a choice of lanes, `count` of them, each of two registers'.
bool IsLaneChoice(std::string_view word, u32 lanes) {
  if (word.size() != 2 + lanes || word[1] != (lanes == 2 ? 'h' : 'b')) return false;
  return std::all_of(word.begin() + 2, word.end(),
                     [&](char c) { return c >= '0' && c < static_cast<char>('0' + 2 * lanes); });
}

// A mask of lanes, the highest first, each once.
bool IsLaneMask(std::string_view word, u32 lanes) {
  if (word.size() < 3 || word.size() > 2 + lanes || word[1] != (lanes == 2 ? 'h' : 'b'))
    return false;
  char before = static_cast<char>('0' + lanes);
  for (const char c : word.substr(2)) {
    if (c < '0' || c >= before) return false;
    before = c;
  }
  return true;
}

}  // namespace

OperandFault JudgeVideo(const OperandSpec& spec, const ResolvedOperand& operand,
                        const OperandContext& context) {
  const bool is_negatable = spec.form == OperandForm::kNegatableByteSource;
  const bool is_byte_source = is_negatable || spec.form == OperandForm::kByteSource;
  if (IsConstant(operand))
    return is_byte_source ? JudgeConstant(spec, operand, context)
                          : Fault(FaultKind::kKind, operand);
  if (operand.meaning != Meaning::kRegister || operand.vector_size != 1 ||
      operand.syntax->kind != OperandKind::kName || operand.syntax->is_inverted ||
      (operand.syntax->is_negative && !is_negatable))
    return Fault(FaultKind::kKind, operand);
  if (HasSelector(operand)) {
    const std::string_view word = context.module->TextOf({operand.syntax->token.index + 1});
    bool fits = false;
    switch (spec.form) {
      case OperandForm::kTwoLaneSource: fits = IsLaneChoice(word, 2); break;
      case OperandForm::kFourLaneSource: fits = IsLaneChoice(word, 4); break;
      case OperandForm::kTwoLaneDestination: fits = IsLaneMask(word, 2); break;
      case OperandForm::kFourLaneDestination: fits = IsLaneMask(word, 4); break;
      default: fits = IsPart(word);
    }
    if (!fits) return Fault(FaultKind::kKind, operand);
  }
  return (spec.type.registers & MaskOf(operand.type)) != 0 ? kFits
                                                           : Fault(FaultKind::kType, operand);
}

}  // namespace ptxfarm::ptx::isa
