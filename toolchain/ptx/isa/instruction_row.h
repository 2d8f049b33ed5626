// A row of the instruction table: one form of an instruction, in the notation of notation.h.
#pragma once

#include <string_view>

#include "toolchain/ptx/isa/check_row.h"
#include "toolchain/target/ptx_version.h"

namespace ptxfarm::ptx::isa {

struct InstructionRow {
  std::string_view syntax;
  std::string_view sets;
  std::string_view rules;
  std::string_view operands;
  PtxVersion since;
  std::string_view targets;
  std::string_view gates;
  // The words up to here stand first and in this order, in what compilers take too. Of the others
  // only types, state spaces and layouts keep their order among themselves.
  int head;
  std::string_view section;  // Of PTX ISA 9.4; empty where no manual has the form.
  // "deprecated 6.0; retired 6.4 sm_70+": a warning from the first version on, an error from the
  // second on where the module's target is one of these.
  std::string_view life;
  std::string_view note;

  // Reads every column: a row that is malformed doesn't compile.
  consteval InstructionRow(std::string_view syntax_column, std::string_view sets_column,
                           std::string_view rules_column, std::string_view operands_column,
                           PtxVersion since_column, std::string_view targets_column,
                           std::string_view gates_column, int head_column,
                           std::string_view section_column, std::string_view life_column = "",
                           std::string_view note_column = "")
      : syntax(syntax_column),
        sets(sets_column),
        rules(rules_column),
        operands(operands_column),
        since(since_column),
        targets(targets_column),
        gates(gates_column),
        head(head_column),
        section(section_column),
        life(life_column),
        note(note_column) {
    CheckRow({syntax, sets, rules, operands, targets, gates, life, head});
  }

  constexpr std::string_view opcode() const { return NameAt(syntax); }
};

}  // namespace ptxfarm::ptx::isa
