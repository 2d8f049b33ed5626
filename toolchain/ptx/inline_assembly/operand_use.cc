#include "toolchain/ptx/inline_assembly/operand_use.h"

#include <algorithm>
#include <charconv>

#include "toolchain/ptx/isa/assign_operands.h"

namespace ptxfarm::ptx {
namespace {

using isa::OperandForm;

bool IsWritten(OperandForm form) {
  switch (form) {
    case OperandForm::kDestination:
    case OperandForm::kPredicateDestination:
    case OperandForm::kDestinationVector:
    case OperandForm::kByteDestination:
    case OperandForm::kTwoLaneDestination:
    case OperandForm::kFourLaneDestination:
    case OperandForm::kResults: return true;
    default: return false;
  }
}

// The operand that "%12" names.
std::optional<std::size_t> OperandNamed(std::string_view name) {
  std::size_t index = 0;
  if (!name.starts_with('%')) return std::nullopt;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), index);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return index;
}

SourceSpan SpanOf(const Token& first, const Token& last) { return {first.offset(), last.end()}; }

}  // namespace

void TemplateUse::See(const VerifiedInstruction& instruction) {
  const Module& module = instruction.module;
  const Instruction& syntax = instruction.syntax;
  std::string mnemonic;
  for (const Token& word : module.WordsOf(syntax))
    if (!word.Is(TokenKind::kLineMarker)) mnemonic += module.tokens->TextOf(word);
  const std::string_view opcode = module.TextOf(syntax.opcode);
  has_branch_ |= opcode == "bra" || opcode == "brx";
  SeeEffect(isa::EffectOf(mnemonic), mnemonic, module.TokenOf(syntax.opcode),
            module.TokenOf({syntax.opcode.index + syntax.word_count - 1}));

  const isa::OperandContext context{.module = &module,
                                    .address_bits = module.head.address_size.value_or(64)};
  const isa::Assignment assigned = isa::Assign(instruction.overload, instruction.operands, context);
  // Sources first: an instruction reads before it writes.
  for (const bool writes : {false, true}) {
    for (std::size_t i = 0; i < instruction.overload.operands.size(); ++i) {
      const bool is_written = IsWritten(instruction.overload.operands[i].form);
      if (is_written != writes || assigned.operand[i] < 0) continue;
      const auto at = static_cast<std::size_t>(assigned.operand[i]);
      if (at < instruction.operands.size())
        SeeOperand(instruction, instruction.operands[at], is_written);
    }
  }
}

// Nested as deep as operands may be: kOperandsNestedMax.
void TemplateUse::SeeOperand(const VerifiedInstruction& instruction, const ResolvedOperand& operand,
                             bool is_written) {
  const bool reads_inside = operand.meaning == Meaning::kAddress;
  for (const ResolvedOperand& child : operand.children)
    SeeOperand(instruction, child, is_written && !reads_inside);
  if (operand.meaning == Meaning::kSpecialRegister) {
    const Token& name = instruction.module.TokenOf(operand.syntax->token);
    const std::string_view text = instruction.module.tokens->TextOf(name);
    if (isa::IsChanging(text)) SeeEffect(isa::Effect::kChanges, text, name, name);
  }
  if (operand.meaning == Meaning::kRegister) SeeName(instruction, operand, is_written);
}

void TemplateUse::SeeName(const VerifiedInstruction& instruction, const ResolvedOperand& operand,
                          bool is_written) {
  const Module& module = instruction.module;
  const Token& name = module.TokenOf(operand.syntax->token);
  const std::optional<std::size_t> index = OperandNamed(module.tokens->TextOf(name));
  if (!index || *index >= operands_.size()) return;
  OperandUse& use = operands_[*index];
  if (!is_written) {
    if (!use.first_read) use.first_read = SpanOf(name, name);
    use.is_read_before_write |= !use.first_write;
    return;
  }
  if (!use.first_write) use.first_write = SpanOf(name, name);
  const Instruction& syntax = instruction.syntax;
  if (!syntax.guard) {
    use.is_surely_written = true;
    return;
  }
  const std::string guard(module.TextOf(syntax.guard));
  const std::string opposite = syntax.is_inverted ? guard : "!" + guard;
  use.is_surely_written |= use.guard == opposite;
  if (use.guard.empty()) use.guard = syntax.is_inverted ? "!" + guard : guard;
}

void TemplateUse::SeeEffect(isa::Effect effect, std::string_view what, const Token& first,
                            const Token& last) {
  const bool is_known =
      std::ranges::any_of(effects_, [&](const EffectUse& other) { return other.effect == effect; });
  if (effect == isa::Effect::kNone || is_known) return;
  effects_.push_back({effect, std::string(what), SpanOf(first, last)});
}

}  // namespace ptxfarm::ptx
