// Addresses that are misaligned for all to see. PTX ISA 9.4 §6.4.1: an access is aligned to its
// size; the assembler is silent, the machine is not.
#include "toolchain/ptx/verify/verifier.h"

namespace ptxfarm::ptx {
namespace {

// 16 of ld.v4.u32; 0 where the words tell no size.
u64 AccessBytes(const Module& module, const Instruction& instruction) {
  u64 elements = 1;
  u64 bits = 0;
  for (const Token& token : module.WordsOf(instruction)) {
    const std::string_view word = module.tokens->TextOf(token);
    if (word == ".v2") elements = 2;
    if (word == ".v4") elements = 4;
    if (word == ".v8") elements = 8;
    if (const Type type = TypeNamed(word); type != Type::kNone) bits = DescOf(type).bits;
  }
  return elements * bits / 8;
}

}  // namespace

void Verifier::WarnMisaligned(const Instruction& instruction) {
  const std::string_view opcode = Text(instruction.opcode);
  if ((opcode != "ld" && opcode != "st") || warnings_.is_full()) return;
  for (const ResolvedOperand& operand :
       std::span<const ResolvedOperand>(resolved_).first(instruction.operand_count)) {
    if (operand.meaning != Meaning::kAddress || operand.children.size() != 1) continue;
    const ResolvedOperand& address = operand.children[0];
    if (address.meaning != Meaning::kVariable || address.value == 0) continue;
    const u64 bytes = AccessBytes(module_, instruction);
    if (bytes == 0 || static_cast<u64>(address.value) % bytes == 0) continue;
    Diagnostic& diagnostic = Report<kinds::kMisaligned>(
        address.syntax->token, Text(address.syntax->token), address.value, bytes);
    diagnostic.section = "6.4.1";
    diagnostic.related.push_back(DeclaredHere(address.variable->name));
  }
}

}  // namespace ptxfarm::ptx
