#include "config/help.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "config/environment.h"
#include "config/text.h"

namespace ptxfarm::config {
namespace {

constexpr std::size_t kIndent = 2;
// Where explanations begin; what stands left of it and is longer gets a line of its own.
constexpr std::size_t kTextColumn = 28;

std::string Row(const std::string& left, std::string_view right, std::size_t width) {
  // In a narrow window the explanation stands below, or it would be a column of single words.
  const std::size_t text_column = width < 2 * kTextColumn ? 2 * kIndent + 2 : kTextColumn;
  std::string row = std::string(kIndent, ' ') + left;
  const std::string text = Wrap(right, text_column, width);
  if (Columns(row) + 2 > text_column || text.size() < text_column) return row + "\n" + text;
  return row + std::string(text_column - Columns(row), ' ') + text.substr(text_column);
}

void AddOptions(const CommandPath& path, std::size_t width, std::string& help) {
  for (const OptionGroup* group : GroupsOf(path)) {
    help += fmt::format("\n{}:\n", group->title);
    for (const Option& option : group->options) {
      const std::string notes = ValueNotes(option);
      const std::string text = notes.empty() ? option.help : option.help + " [" + notes + "]";
      // Without a letter, room is left for one, so that the long names stand in a column.
      const std::string room = option.extra.letter == 0 ? "    " : "";
      help += Row(room + FlagUsage(option), text, width);
    }
  }
}

void AddSources(const CommandPath& path, std::size_t width, std::string& help) {
  for (const OptionGroup* group : GroupsOf(path)) {
    for (const Option& option : group->options) {
      if (option.extra.reach != Reach::kEverywhere) continue;
      const std::string table =
          group->table.empty() ? "" : fmt::format(" under [{}]", group->table);
      help +=
          "\n" + Wrap(fmt::format(
                          "Options can also be set in the environment (--{}: {}) and in the config "
                          "file ({} = …{}); a flag wins over the environment, that over the file.",
                          option.name, EnvironmentName(option), option.name, table),
                      0, width);
      return;
    }
  }
}

}  // namespace

std::string Help(const CommandPath& path, std::size_t width) {
  const Command& command = *path.back();
  std::string help = Wrap("Usage: " + Synopsis(path), 0, width);
  help +=
      "\n" + Wrap(command.description.empty() ? command.summary : command.description, 0, width);
  if (!command.arguments.empty()) help += "\nArguments:\n";
  for (const Argument& argument : command.arguments)
    help += Row(ArgumentUsage(argument), argument.help, width);
  if (!command.commands.empty()) help += "\nCommands:\n";
  for (const Command& below : command.commands) help += Row(below.name, below.summary, width);
  AddOptions(path, width, help);
  if (!command.examples.empty()) help += "\nExamples:\n";
  for (const Example& example : command.examples) {
    help += Wrap(example.command, kIndent, width);
    help += Wrap(example.what, 3 * kIndent, width);
  }
  AddSources(path, width, help);
  if (!command.commands.empty())
    help +=
        "\n" + Wrap(fmt::format("'{} COMMAND --help' tells more about a command.", NameOf(path)), 0,
                    width);
  return help;
}

std::size_t HelpWidth() {
  std::size_t columns = 80;
  winsize window{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) {
    columns = window.ws_col;
  } else if (const auto set = ProcessEnvironment()("COLUMNS")) {
    columns = static_cast<std::size_t>(ParseCount(*set).value_or(80));
  }
  return std::clamp<std::size_t>(columns, 40, 120);
}

}  // namespace ptxfarm::config
