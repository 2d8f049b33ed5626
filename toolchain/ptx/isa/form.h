// A row of the instruction table, read: what matching a spelling walks over.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "toolchain/ptx/isa/instruction_row.h"
#include "toolchain/ptx/isa/operand_form.h"
#include "toolchain/ptx/isa/target_set.h"

namespace ptxfarm::ptx::isa {

struct FormSet {
  std::string_view name;
  std::vector<std::string_view> values;  // "-", ".f32", ".add.noftz"
};

// A word, a set, or brackets with alternatives.
struct SyntaxNode {
  enum class Kind : u8 { kWord, kSet, kOptional, kChoice };

  Kind kind = Kind::kWord;
  std::string_view word;
  u16 set = 0;  // In Form::sets.
  std::vector<std::vector<SyntaxNode>> alternatives;
};

// See notation.h.
struct Atom {
  enum class Kind : u8 { kPresent, kValue, kOnTarget, kOperand, kOperandRegister, kOperandPair };

  Kind kind = Kind::kPresent;
  bool is_negated = false;
  u16 set = 0;                           // kValue
  std::vector<std::string_view> values;  // kPresent: words; kValue: values; else the name.
  std::vector<u16> sets;                 // kPresent
  u16 target = 0;                        // kOnTarget: its number.
};
using Condition = std::vector<Atom>;  // All of them hold.

struct Rule {
  std::string_view text;
  Condition left;
  Condition right;
  bool is_exclusion = false;  // `left` must not hold.
};

struct Need {
  PtxVersion since;  // {0, 0}: any.
  std::string_view targets = "all";
};

struct Gate {
  std::string_view condition_text;
  Condition condition;
  Need need;
};

struct FormOperand {
  OperandText text;
  OperandForm form = OperandForm::kDestination;
  bool takes_sink = false;
  Condition condition;
};

struct Form {
  const InstructionRow* row = nullptr;
  std::vector<FormSet> sets;  // Those that the syntax names, in its order.
  std::vector<SyntaxNode> syntax;
  std::vector<Rule> rules;
  std::vector<Gate> gates;
  std::vector<FormOperand> operands;
  PtxVersion deprecated;  // {0, 0}: never.
  PtxVersion retired;
  std::string_view retired_on = "all";

  bool HasWord(std::string_view word) const;
};

// The forms of an opcode, read at the first call for it; none where no instruction is called so.
// Safe to call from many threads.
std::span<const Form> FormsOf(std::string_view opcode);

}  // namespace ptxfarm::ptx::isa
