#include "client/commands/explain_command.h"

#include <optional>

#include "toolchain/ptx/isa/directives.h"
#include "toolchain/ptx/isa/explain.h"
#include "toolchain/ptx/isa/pragmas.h"
#include "toolchain/ptx/isa/special_registers.h"

namespace ptxfarm::client {
namespace {

std::string GateOf(const ptx::Gate& gate, std::string_view section) {
  std::string text = fmt::format("  since PTX {}", gate.since);
  if (gate.HasEnd()) text += fmt::format(", until {}", gate.until);
  if (gate.target_min != 0) text += fmt::format(", from sm_{} on", gate.target_min);
  return text + fmt::format("\n  PTX ISA §{}\n", section);
}

// A directive (".maxntid"), a special register ("%tid"), a pragma's word, or an instruction.
std::optional<std::string> Explain(const std::string& word) {
  if (const ptx::DirectiveDesc* const row = ptx::FindDirective(word))
    return fmt::format("{}\n  {}\n  stands {}\n{}", row->word, row->syntax, ptx::PlacesOf(*row),
                       GateOf(row->gate, row->section));
  if (const ptx::SpecialRegisterDesc* const row = ptx::FindSpecialRegister(word))
    return fmt::format("{}\n  {}\n{}", row->name, row->meaning, GateOf(row->gate, row->section));
  if (std::optional<std::string> forms = ptx::isa::ExplainInstruction(word)) return forms;
  if (const ptx::PragmaDesc* const row = ptx::FindPragma(word))
    return fmt::format(".pragma \"{}\"\n{}", row->syntax, GateOf(row->gate, row->section));
  return std::nullopt;
}

ExitCode ExplainAll(const Session& session, const ExplainOptions& options) {
  std::string text;
  ExitCode code = ExitCode::kOk;
  for (const std::string& word : options.words) {
    if (const std::optional<std::string> found = Explain(word)) {
      text += *found;
      if (!text.ends_with('\n')) text += '\n';
      continue;
    }
    session.PrintError(fmt::format(
        "PTX has no instruction, directive, special register or pragma '{}'", Printable(word)));
    code = ExitCode::kInput;
  }
  return session.Print(text, code);
}

}  // namespace

config::Command ExplainCommand(const CliOptions& cli, ExplainOptions& o) {
  config::Command command{
      .name = "explain",
      .summary = "prints what PTX has under a name: syntax, since when, on which targets",
      .description =
          "Of an instruction all its forms; with modifiers (mul.wide) those that have them. Of a "
          "directive (.maxntid), a special register (%tid) or the word of a pragma its row.",
  };
  command.arguments = {{"WORD", "Names, as PTX spells them.", config::List(&o.words)}};
  command.examples = {{"ptxfarm explain cp.async .maxntid %clusterid", "Three of them."}};
  command.run = [&cli, &o] { return static_cast<int>(ExplainAll(Session(cli), o)); };
  return command;
}

}  // namespace ptxfarm::client
