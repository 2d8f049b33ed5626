// Reading rows. The notation was checked when the program was built, so nothing can fail here.
#include "toolchain/ptx/isa/form.h"

#include <algorithm>
#include <mutex>

#include "toolchain/ptx/isa/instructions.h"

namespace ptxfarm::ptx::isa {
namespace {

// Builds the tree of a syntax; the innermost open brackets are last in `open_`.
class SyntaxBuilder {
 public:
  SyntaxBuilder(const InstructionRow& row, Form& form) : row_(row), form_(form) {}

  void Word(std::string_view word) { Add().word = word; }
  void Set(std::string_view name) {
    SyntaxNode& node = Add();
    node.kind = SyntaxNode::Kind::kSet;
    node.set = SetIndex(name);
  }
  void Open(bool is_optional) {
    SyntaxNode& node = Add();
    node.kind = is_optional ? SyntaxNode::Kind::kOptional : SyntaxNode::Kind::kChoice;
    node.alternatives.emplace_back();
    open_.push_back(&node);
  }
  void Alternative() { open_.back()->alternatives.emplace_back(); }
  void Close() { open_.pop_back(); }

 private:
  // A new node where the text is. Only the innermost list grows, so pointers to open nodes hold.
  SyntaxNode& Add() {
    return (open_.empty() ? form_.syntax : open_.back()->alternatives.back()).emplace_back();
  }

  u16 SetIndex(std::string_view name) {
    for (std::size_t i = 0; i < form_.sets.size(); ++i)
      if (form_.sets[i].name == name) return static_cast<u16>(i);
    FormSet set{.name = name, .values = {}};
    ForEachPart(ValuesOf(row_.sets, name), '|',
                [&](std::string_view value) { set.values.push_back(value); });
    form_.sets.push_back(std::move(set));
    return static_cast<u16>(form_.sets.size() - 1);
  }

  const InstructionRow& row_;
  Form& form_;
  std::vector<SyntaxNode*> open_;
};

u16 SetNamed(const Form& form, std::string_view name) {
  for (std::size_t i = 0; i < form.sets.size(); ++i)
    if (form.sets[i].name == name) return static_cast<u16>(i);
  PTXFARM_CHECK(false, name);
  return 0;
}

Atom ReadOperandAtom(std::string_view text) {
  Atom atom{.kind = Atom::Kind::kOperand, .values = {}, .sets = {}};
  text.remove_prefix(std::string_view("operand ").size());
  const std::string_view name = NameAt(text);
  text.remove_prefix(name.size());
  if (text == " as register") atom.kind = Atom::Kind::kOperandRegister;
  if (text == " |pred") atom.kind = Atom::Kind::kOperandPair;
  atom.values.push_back(name);
  return atom;
}

Atom ReadAtom(const Form& form, std::string_view text) {
  if (text.starts_with("operand ")) return ReadOperandAtom(text);
  Atom atom;
  if (text.starts_with("on ")) {
    atom.kind = Atom::Kind::kOnTarget;
    for (const char c : text.substr(std::string_view("on sm_").size()))
      atom.target = static_cast<u16>(atom.target * 10 + (c - '0'));
    return atom;
  }
  if (text.starts_with("!")) {
    atom.is_negated = true;
    text.remove_prefix(1);
  }
  NamedValues named = SplitAssignment(text);
  if (!named.name.empty()) {
    atom.kind = Atom::Kind::kValue;
    atom.set = SetNamed(form, named.name);
    if (IsNameCharacter(named.values[0])) named.values = SharedSet(named.values);
    ForEachPart(named.values, '|', [&](std::string_view value) { atom.values.push_back(value); });
    return atom;
  }
  ForEachPart(text, '|', [&](std::string_view part) {
    if (part.starts_with("."))
      atom.values.push_back(part);
    else
      atom.sets.push_back(SetNamed(form, part));
  });
  return atom;
}

Condition ReadCondition(const Form& form, std::string_view text) {
  Condition condition;
  ForEachPart(text, '&', [&](std::string_view atom) { condition.push_back(ReadAtom(form, atom)); });
  return condition;
}

PtxVersion ReadVersion(std::string_view text) {
  PtxVersion version;
  u16* part = &version.major;
  for (const char c : text) {
    if (c == '.')
      part = &version.minor;
    else
      *part = static_cast<u16>(*part * 10 + (c - '0'));
  }
  return version;
}

Need ReadNeed(std::string_view text) {
  Need need;
  ForEachPart(text, ' ', [&](std::string_view part) {
    if (part.starts_with("sm_"))
      need.targets = part;
    else
      need.since = ReadVersion(part);
  });
  return need;
}

FormOperand ReadOperand(const Form& form, std::string_view text) {
  FormOperand operand{.text = SplitOperand(text), .condition = {}};
  std::string_view kind = operand.text.kind;
  if (kind.ends_with("_")) {
    operand.takes_sink = true;
    kind.remove_suffix(1);
  }
  operand.form = static_cast<OperandForm>(OperandFormNamed(kind));
  // Of a vector the elements, as of every vector that is written.
  if (operand.form == OperandForm::kDestinationVector) operand.takes_sink = false;
  operand.condition = ReadCondition(form, operand.text.condition);
  return operand;
}

void ReadLife(Form& form) {
  ForEachPart(form.row->life, ';', [&](std::string_view part) {
    const std::string_view word = NameAt(part);
    const Need need = ReadNeed(Trimmed(part.substr(word.size())));
    if (word == "deprecated") {
      form.deprecated = need.since;
    } else {
      form.retired = need.since;
      form.retired_on = need.targets;
    }
  });
}

Form ReadForm(const InstructionRow& row) {
  Form form{.row = &row,
            .sets = {},
            .syntax = {},
            .rules = {},
            .gates = {},
            .operands = {},
            .deprecated = {},
            .retired = {}};
  SyntaxBuilder builder(row, form);
  ReadSyntax(row.syntax, builder);
  ForEachPart(row.rules, ';', [&](std::string_view text) {
    const RuleText rule = SplitRule(text);
    form.rules.push_back({.text = text,
                          .left = ReadCondition(form, rule.left),
                          .right = ReadCondition(form, rule.right),
                          .is_exclusion = rule.right.empty()});
  });
  ForEachPart(row.gates, ';', [&](std::string_view text) {
    const GateText gate = SplitGate(text);
    form.gates.push_back({.condition_text = gate.condition,
                          .condition = ReadCondition(form, gate.condition),
                          .need = ReadNeed(gate.need)});
  });
  ForEachPart(row.operands, ',',
              [&](std::string_view text) { form.operands.push_back(ReadOperand(form, text)); });
  ReadLife(form);
  return form;
}

struct FormList {
  std::once_flag once;
  std::vector<Form> forms;
};

bool Contains(const Form& form, std::span<const SyntaxNode> nodes, std::string_view word) {
  for (const SyntaxNode& node : nodes) {
    if (node.word == word) return true;
    if (node.kind == SyntaxNode::Kind::kSet) {
      for (const std::string_view value : form.sets[node.set].values) {
        bool found = false;
        ForEachWord(value, [&](std::string_view part) { found |= part == word; });
        if (found) return true;
      }
    }
    for (const std::vector<SyntaxNode>& alternative : node.alternatives)
      if (Contains(form, alternative, word)) return true;
  }
  return false;
}

}  // namespace

bool Form::HasWord(std::string_view word) const { return Contains(*this, syntax, word); }

std::span<const Form> FormsOf(std::string_view opcode) {
  static std::vector<FormList> lists(Opcodes().size());
  const std::span<const std::string_view> opcodes = Opcodes();
  const auto at = std::lower_bound(opcodes.begin(), opcodes.end(), opcode);
  if (at == opcodes.end() || *at != opcode) return {};
  FormList& list = lists[static_cast<std::size_t>(at - opcodes.begin())];
  std::call_once(list.once, [&] {
    for (const InstructionRow* row : RowsOf(opcode)) list.forms.push_back(ReadForm(*row));
  });
  return list.forms;
}

}  // namespace ptxfarm::ptx::isa
