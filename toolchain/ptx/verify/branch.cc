// Branches: their targets are labels. PTX ISA 9.4 §9.7.13.3, §9.7.13.4.
#include "toolchain/ptx/verify/verifier.h"

namespace ptxfarm::ptx {

bool Verifier::VerifyBranch(const Instruction& instruction) {
  const bool is_indexed = Text(instruction.opcode) == "brx";
  const std::string_view section = is_indexed ? "9.7.13.4" : "9.7.13.3";
  const auto fail = [&](TokenId at, std::string message, const ResolvedOperand* operand) {
    Diagnostic& diagnostic = Report<kinds::kBadBranch>(at, std::move(message));
    diagnostic.section = section;
    if (operand == nullptr) return false;
    if (const Symbol* const symbol = symbols_.Find(Text(operand->syntax->token)))
      diagnostic.related.push_back(DeclaredHere(symbol->name));
    return false;
  };
  const u32 count = is_indexed ? 2 : 1;
  if (instruction.operand_count != count)
    return fail(instruction.opcode,
                is_indexed ? "brx.idx is written 'brx.idx index, list;'"
                           : "bra has one target: 'bra LABEL;'",
                nullptr);
  const ResolvedOperand& target = resolved_[count - 1];
  if (target.meaning == Meaning::kUnknown) return false;
  const std::string_view name = Text(target.syntax->token);
  const bool is_name = target.syntax->kind == OperandKind::kName;
  if (!is_indexed) {
    if (target.meaning == Meaning::kLabel && is_name) return true;
    return fail(target.syntax->token, fmt::format("'{}' is no label", name),
                is_name ? &target : nullptr);
  }
  if (target.meaning != Meaning::kBranchTargets)
    return fail(target.syntax->token, fmt::format("'{}' is no list of branch targets", name),
                is_name ? &target : nullptr);
  const ResolvedOperand& index = resolved_[0];
  const TypeDesc& type = DescOf(index.type);
  const bool is_integer = type.type_class == TypeClass::kBits ||
                          type.type_class == TypeClass::kUnsigned ||
                          type.type_class == TypeClass::kSigned;
  if (index.meaning == Meaning::kUnknown) return false;
  if (index.meaning == Meaning::kInteger) return true;  // ptxas takes it.
  if (index.meaning == Meaning::kRegister && is_integer && type.bits == 32) return true;
  return fail(index.syntax->token, "the index is a register of 32 bits",
              index.meaning == Meaning::kRegister ? &index : nullptr);
}

}  // namespace ptxfarm::ptx
