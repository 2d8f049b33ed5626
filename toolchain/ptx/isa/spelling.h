// A spelling: a mnemonic with all its words, resolved to the forms that have it.
//
// Modules spell few instructions in many statements, so a spelling is resolved once and kept, for
// the module here and for the process in spelling_cache.h; what is left for each statement is a
// look-up and a look at its operands (check_instruction.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "toolchain/ptx/header.h"
#include "toolchain/ptx/isa/form.h"
#include "toolchain/ptx/isa/match.h"
#include "toolchain/ptx/isa/type_rule.h"

namespace ptxfarm::ptx::isa {

// What may stand as one operand under this spelling.
struct OperandSpec {
  std::string_view name;  // As the table has it: "d".
  OperandForm form = OperandForm::kDestination;
  TypeRule type;     // Of the register, of the elements, of a coordinate.
  u16 elements = 1;  // Of a vector, of coordinates; 0: any number.
  bool takes_sink = false;
  bool is_optional = false;
  bool takes_pair = false;  // d|p
  bool needs_pair = false;
  // Of constants: "0..255", "4|8|16", "24..256 by 8", "0.0..1.0"; empty: any.
  std::string_view range;
  // Of addresses: where a variable must lie; kNone where a generic address may point to.
  StateSpace space = StateSpace::kNone;
  bool is_generic = false;      // No space is named: a register holds a full address.
  bool is_written = false;      // The address of a store.
  bool needs_braces = false;    // Of vectors: also around a single register.
  bool first_is_index = false;  // Of coordinates: the first is that of an array's layer.
};

// A version or targets that something asks for.
struct Requirement {
  PtxVersion since;                       // {0, 0}: any.
  std::string_view targets_text = "all";  // As the table writes it.
  TargetSet targets;
  std::string what;   // What asks: "fma.rn.bf16", ".L2::cache_hint".
  u8 word = 0;        // The word of the mnemonic that asks; 0 is the opcode.
  u16 on_target = 0;  // Asked only where the module's target has this number; 0: always.
  Atom::Kind when = Atom::Kind::kPresent;  // Of an operand: kOperand and the like.
  u16 operand = 0;                         // Which one then.
};

// One form that has the spelling: instructions are overloaded by their operands.
struct Overload {
  const Form* form = nullptr;
  std::vector<OperandSpec> operands;
  std::vector<Requirement> requirements;
  u16 operands_min = 0;
  bool has_conditional = false;  // Some requirements depend on operands.
  bool is_met = true;            // Those that don't are met by the module.
};

// What is to be said wherever the spelling stands.
struct SpellingIssue {
  Diagnostic diagnostic;  // Without a place.
  u8 first_word = 0;      // What is marked.
  u8 last_word = 0;
};

struct Spelling {
  std::string text;  // "add.s32"; what names here look into.
  std::vector<std::string_view> words;
  std::vector<Overload> overloads;  // Empty where the mnemonic is wrong.
  std::vector<SpellingIssue> issues;
};

// Resolves words such as {"add", ".s32"} for a module.
std::unique_ptr<Spelling> Resolve(std::span<const std::string_view> words, const ModuleHead& head);

// The spellings of one module.
class SpellingTable {
 public:
  // The head must outlive the table.
  explicit SpellingTable(const ModuleHead& head) : head_(&head) {}

  // The spelling of a mnemonic: `text` holds its words only, with nothing between them.
  const Spelling& Find(std::string_view text);

  const ModuleHead& head() const { return *head_; }

 private:
  void Grow();

  struct Slot {
    u64 hash = 0;
    const Spelling* spelling = nullptr;
  };

  const ModuleHead* head_;
  std::vector<std::shared_ptr<const Spelling>> spellings_;
  std::vector<Slot> slots_;  // Open addressing; a power of two, at most half full.
};

}  // namespace ptxfarm::ptx::isa
