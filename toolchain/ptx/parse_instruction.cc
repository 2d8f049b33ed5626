// Parsing of instructions: guard, mnemonic, operands. PTX ISA 9.4 §4.3.2, §6.
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/parser.h"

namespace ptxfarm::ptx {

bool Parser::ParseInstruction() {
  const TokenId first = Here();
  Instruction instruction;
  if (At(TokenKind::kAt) && !ParseGuard(instruction)) return false;
  const bool is_call = AtName("call");
  if (!ParseMnemonic(instruction)) return false;
  if (!ParseOperands(instruction, is_call)) return false;
  if (!ExpectSemicolon(instruction.operand_count == 0 ? "an operand or " : "',' or ")) return false;
  AddStatement(StatementKind::kInstruction, first, module_.instructions.size());
  module_.instructions.push_back(instruction);
  return true;
}

bool Parser::ParseGuard(Instruction& instruction) {
  Advance();
  instruction.is_inverted = AdvanceIf(TokenKind::kBang);
  if (!Expect(TokenKind::kName, "the name of a predicate", &instruction.guard)) return false;
  if (!At(TokenKind::kName)) return Expected("an instruction behind its guard");
  if (PeekBehind().Is(TokenKind::kColon)) return Expected("an instruction: a label has no guard");
  return true;
}

bool Parser::ParseMnemonic(Instruction& instruction) {
  instruction.opcode = Here();
  Advance();
  while (At(TokenKind::kDotWord)) {
    const bool is_const = Text() == ".const";
    Advance();
    // PTX ISA 2.1 and older: ld.const[3].f32.
    if (is_const && At(TokenKind::kLeftBracket)) {
      Advance();
      if (!Expect(TokenKind::kInteger, "the number of a constant bank")) return false;
      if (!Expect(TokenKind::kRightBracket, "']'")) return false;
    }
  }
  const u32 count = last_ + 1 - instruction.opcode.index;
  constexpr u32 kWordsMax = 0xFFFF;
  if (count > kWordsMax) return Expected("a mnemonic of fewer words");
  instruction.word_count = static_cast<u16>(count);
  return true;
}

bool Parser::ParseOperands(Instruction& instruction, bool is_call) {
  instruction.first_operand = SizeOf(module_.operands);
  if (At(TokenKind::kSemicolon)) return true;
  if (AtEnd() || At(TokenKind::kRightBrace)) return true;  // Only the ';' is missing.
  open_operands_.clear();
  closed_operands_.clear();
  do {
    if (is_call && At(TokenKind::kLeftParen)) {
      if (!ParseGroup(OperandKind::kList, TokenKind::kRightParen, 1)) return false;
    } else if (!ParseOperand(0)) {
      return false;
    }
  } while (AdvanceIf(TokenKind::kComma));

  instruction.operand_count = SizeOf(open_operands_);
  instruction.node_count = instruction.operand_count + SizeOf(closed_operands_);
  std::vector<Operand>& all = module_.operands;
  all.insert(all.end(), open_operands_.begin(), open_operands_.end());
  if (closed_operands_.empty()) return true;
  all.insert(all.end(), closed_operands_.begin(), closed_operands_.end());
  const u32 children = instruction.first_operand + instruction.operand_count;
  for (u32 i = instruction.first_operand; i < all.size(); ++i)
    if (all[i].HasChildren()) all[i].first += children;
  return true;
}

}  // namespace ptxfarm::ptx
