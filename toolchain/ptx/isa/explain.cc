#include "toolchain/ptx/isa/explain.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "toolchain/ptx/isa/form.h"

namespace ptxfarm::ptx::isa {
namespace {

void AddLine(std::string& text, std::string_view head, std::string_view line) {
  if (!line.empty()) text += fmt::format("    {:<9} {}\n", head, line);
}

// "d: a register to write of T; a: …"
void AddOperands(std::string& text, const Form& form) {
  if (form.operands.empty()) return AddLine(text, "operands", "none");
  std::string_view head = "operands";
  for (const FormOperand& operand : form.operands) {
    const OperandText& parts = operand.text;
    std::string line = fmt::format("{}: {}", parts.name, DescOf(operand.form).meaning);
    if (!parts.arguments.empty()) line += fmt::format(" ({})", parts.arguments);
    if (operand.takes_sink) line += ", or '_'";
    if (!parts.second.empty())
      line += fmt::format("{} |{}", parts.is_second_optional ? ", perhaps with" : ", with",
                          parts.second);
    if (parts.is_optional) line += "; may be left out";
    if (!parts.condition.empty()) line += fmt::format("; only with {}", parts.condition);
    AddLine(text, head, line);
    head = "";
  }
}

std::string Explained(const Form& form) {
  const InstructionRow& row = *form.row;
  std::string text = fmt::format("{}\n", row.syntax);
  std::string_view head = "where";
  for (const FormSet& set : form.sets) {
    std::string values;
    for (const std::string_view value : set.values)
      values += (values.empty() ? "" : " ") + std::string(value == "-" ? "nothing" : value);
    AddLine(text, head, fmt::format("{}: {}", set.name, values));
    head = "";
  }
  AddLine(text, "rules", row.rules);
  AddOperands(text, form);
  AddLine(text, "since", fmt::format("PTX {}", row.since));
  AddLine(text, "targets", TargetSet::Describe(row.targets));
  AddLine(text, "beyond", row.gates);
  AddLine(text, "life", row.life);
  if (!row.section.empty()) AddLine(text, "section", fmt::format("PTX ISA 9.4 §{}", row.section));
  AddLine(text, "note", row.note);
  return text;
}

}  // namespace

std::optional<std::string> ExplainInstruction(std::string_view name) {
  std::vector<std::string_view> modifiers;
  const std::string_view opcode = name.substr(0, name.find('.'));
  for (std::string_view rest = name.substr(opcode.size()); !rest.empty();) {
    const std::size_t end = std::min(rest.find('.', 1), rest.size());
    modifiers.push_back(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  std::string text;
  for (const Form& form : FormsOf(opcode)) {
    if (!std::all_of(modifiers.begin(), modifiers.end(),
                     [&](std::string_view word) { return form.HasWord(word); }))
      continue;
    text += (text.empty() ? "" : "\n") + Explained(form);
  }
  return text.empty() ? std::nullopt : std::optional<std::string>(std::move(text));
}

}  // namespace ptxfarm::ptx::isa
