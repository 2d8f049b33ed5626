// Judging instructions: the mnemonic, the operands, and what both ask of the module's version and
// target.
#pragma once

#include <unordered_set>

#include "toolchain/ptx/error_list.h"
#include "toolchain/ptx/isa/judge_operand.h"
#include "toolchain/ptx/isa/spelling.h"

namespace ptxfarm::ptx::isa {

// What an instruction was found to be.
struct CheckedInstruction {
  const Spelling* spelling = nullptr;
  // The form that it is; null where something was reported.
  const Overload* overload = nullptr;
};

// Judges the instructions of one module. The module and the lists must outlive it.
class InstructionChecker {
 public:
  InstructionChecker(const Module& module, ErrorList& errors, ErrorList& warnings);

  // Reports at most one fault of the mnemonic, or of the operands, or the version and the target
  // that it lacks. Guards, labels and the signatures of calls are the caller's.
  //
  //   operands   those between the commas, resolved
  CheckedInstruction Check(const Instruction& instruction,
                           std::span<const ResolvedOperand> operands);

  // Whether a requirement of the overload holds for these operands: one of an optional operand, a
  // register in place of a name, a second destination is asked only where it stands there.
  static bool Applies(const Requirement& requirement, const Overload& overload,
                      std::span<const ResolvedOperand> operands);

  // The place of a word of the mnemonic in the text.
  struct Span {
    u32 begin = 0;
    u32 end = 0;
  };
  Span SpanOf(const Instruction& instruction, u32 first_word, u32 last_word) const;

 private:
  const Spelling& SpellingOf(const Instruction& instruction);
  const Overload* Fit(const Spelling& spelling, std::span<const ResolvedOperand> operands) const;
  bool CheckNeeds(const Instruction& instruction, const Spelling& spelling,
                  const Overload& overload, std::span<const ResolvedOperand> operands);
  bool CheckLife(const Instruction& instruction, const Spelling& spelling,
                 const Overload& overload);
  void CheckConstants(const Overload& overload, std::span<const ResolvedOperand> operands);

  const Module& module_;
  ErrorList& errors_;
  ErrorList& warnings_;
  SpellingTable spellings_;
  OperandContext context_;
  std::unordered_set<const SpellingIssue*> told_;
  std::string text_;  // Of a mnemonic that blanks or comments interrupt.
};

}  // namespace ptxfarm::ptx::isa
