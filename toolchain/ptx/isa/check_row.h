// What holds for every row of the instruction table, checked when the program is built: names mean
// something, and what a rule or a gate speaks of is part of the form.
#pragma once

#include <string_view>

#include "toolchain/ptx/isa/notation.h"
#include "toolchain/ptx/isa/operand_form.h"
#include "toolchain/ptx/isa/target_set.h"
#include "toolchain/ptx/isa/word_sets.h"

namespace ptxfarm::ptx::isa {

struct RowText {
  std::string_view syntax;
  std::string_view sets;
  std::string_view rules;
  std::string_view operands;
  std::string_view targets;
  std::string_view gates;
  std::string_view life;
  int head;
};

// The values of a set as the row gives it, else of the shared one of that name.
constexpr std::string_view ValuesOf(std::string_view sets, std::string_view name) {
  std::string_view values;
  ForEachPart(sets, ';', [&](std::string_view part) {
    const NamedValues set = SplitAssignment(part);
    if (set.name == name) values = set.values;
  });
  if (values.empty()) return SharedSet(name);
  return IsNameCharacter(values[0]) ? SharedSet(values) : values;
}

namespace check_row {

// Whether the syntax has the set, or the word anywhere, a set's values included.
struct Finder {
  std::string_view sets;
  std::string_view sought_set;
  std::string_view sought_word;
  bool found = false;
  int top_level = 0;  // Words, sets and brackets outside of brackets.
  int depth = 0;

  constexpr void Word(std::string_view word) {
    if (depth == 0) ++top_level;
    found |= word == sought_word;
  }
  constexpr void Set(std::string_view name) {
    if (depth == 0) ++top_level;
    const std::string_view values = ValuesOf(sets, name);
    if (values.empty()) return MalformedRow(name, "no such set");
    found |= name == sought_set;
    if (sought_word.empty()) return;
    ForEachPart(values, '|', [&](std::string_view value) {
      ForEachWord(value, [&](std::string_view word) { found |= word == sought_word; });
    });
  }
  constexpr void Open(bool) {
    if (depth++ == 0) ++top_level;
  }
  constexpr void Alternative() {}
  constexpr void Close() { --depth; }
};

constexpr bool HasWord(const RowText& row, std::string_view word) {
  Finder finder{.sets = row.sets, .sought_set = {}, .sought_word = word};
  ReadSyntax(row.syntax, finder);
  return finder.found;
}
constexpr bool HasSet(const RowText& row, std::string_view name) {
  Finder finder{.sets = row.sets, .sought_set = name, .sought_word = {}};
  ReadSyntax(row.syntax, finder);
  return finder.found;
}

constexpr void CheckVersion(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == text.size())
    MalformedRow(text, "no version");
}

// "7.4 sm_80+": either may be missing.
constexpr void CheckNeed(std::string_view text) {
  ForEachPart(text, ' ', [&](std::string_view part) {
    if (part.starts_with("sm_"))
      ForEachPart(part, '|', [](std::string_view term) { ReadTargetTerm(term); });
    else
      CheckVersion(part);
  });
}

constexpr void CheckAtom(const RowText& row, std::string_view atom) {
  if (atom.starts_with("operand ")) return;
  if (atom.starts_with("on ")) return;
  if (atom.starts_with("!")) atom.remove_prefix(1);
  const NamedValues named = SplitAssignment(atom);
  if (!named.name.empty()) {
    if (!HasSet(row, named.name)) return MalformedRow(atom, "the form has no such set");
    const std::string_view values =
        IsNameCharacter(named.values[0]) ? SharedSet(named.values) : named.values;
    if (values.empty()) return MalformedRow(atom, "no such shared set");
    const std::string_view all = ValuesOf(row.sets, named.name);
    ForEachPart(values, '|', [&](std::string_view value) {
      bool found = value == "-";
      ForEachPart(all, '|', [&](std::string_view other) { found |= other == value; });
      // Of a shared set only those that this row has count.
      if (!found && !IsNameCharacter(named.values[0]))
        MalformedRow(value, "the set has no such value");
    });
    return;
  }
  ForEachPart(atom, '|', [&](std::string_view part) {
    if (part.starts_with(".") ? !HasWord(row, part) : !HasSet(row, part))
      MalformedRow(part, "the form has no such word or set");
  });
}

constexpr void CheckCondition(const RowText& row, std::string_view condition) {
  ForEachPart(condition, '&', [&](std::string_view atom) { CheckAtom(row, atom); });
}

constexpr void CheckOperand(const RowText& row, std::string_view text) {
  const OperandText operand = SplitOperand(text);
  std::string_view kind = operand.kind;
  if (kind.ends_with("_")) kind.remove_suffix(1);
  if (OperandFormNamed(kind) < 0) MalformedRow(text, "no such kind of operand");
  if (!operand.second.empty() && operand.second != "pdst")
    MalformedRow(text, "the second of a pair is a predicate");
  CheckCondition(row, operand.condition);
}

}  // namespace check_row

constexpr void CheckRow(const RowText& row) {
  check_row::Finder finder{.sets = row.sets, .sought_set = {}, .sought_word = {}};
  ReadSyntax(row.syntax, finder);
  if (row.head < 1 || row.head > finder.top_level) MalformedRow(row.syntax, "the head is too long");
  ForEachPart(row.sets, ';', [&](std::string_view part) {
    const NamedValues set = SplitAssignment(part);
    if (!check_row::HasSet(row, set.name)) MalformedRow(part, "a set that the syntax doesn't name");
    if (IsNameCharacter(set.values[0])) return;
    ForEachPart(set.values, '|',
                [](std::string_view value) { ForEachWord(value, [](std::string_view) {}); });
  });
  ForEachPart(row.rules, ';', [&](std::string_view part) {
    const RuleText rule = SplitRule(part);
    check_row::CheckCondition(row, rule.left);
    check_row::CheckCondition(row, rule.right);
  });
  ForEachPart(row.operands, ',',
              [&](std::string_view part) { check_row::CheckOperand(row, part); });
  ForEachPart(row.targets, '|', [](std::string_view term) { ReadTargetTerm(term); });
  ForEachPart(row.gates, ';', [&](std::string_view part) {
    const GateText gate = SplitGate(part);
    check_row::CheckCondition(row, gate.condition);
    check_row::CheckNeed(gate.need);
  });
  ForEachPart(row.life, ';', [](std::string_view part) {
    const std::string_view word = NameAt(part);
    if (word != "deprecated" && word != "retired") MalformedRow(part, "no stage of life");
    check_row::CheckNeed(Trimmed(part.substr(word.size())));
  });
}

}  // namespace ptxfarm::ptx::isa
