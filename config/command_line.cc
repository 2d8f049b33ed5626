// CLI11 splits the words into flags, commands and arguments; it gets one App a command, each with
// all the options that are accepted there. Its own help, its conversions and its environment stay
// unused: they would put a second truth beside the rows. So do its arguments, which are what
// remains: CLI11 would take
// "[a,b]" for a list.
#include "config/command_line.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "config/suggest.h"

namespace ptxfarm::config {
namespace {

// An option as CLI11 has it: "-o,--output", "--fail-fast,!--no-fail-fast".
std::string FlagNames(const Option& option) {
  std::string names = "--" + option.name;
  if (option.extra.letter != 0) names = fmt::format("-{},{}", option.extra.letter, names);
  if (IsNegatable(option)) names += ",!--no-" + option.name;
  return names;
}

void AddOption(CLI::App& app, const Option& option) {
  CLI::Option* const added =
      option.value.is_flag() ? app.add_flag(FlagNames(option)) : app.add_option(FlagNames(option));
  if (!option.value.is_flag()) added->type_size(1)->expected(1)->allow_extra_args(false);
  added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void AddCommand(CLI::App& app, const CommandPath& path) {
  const Command& command = *path.back();
  app.set_help_flag();  // None of CLI11's own.
  app.allow_extras();
  for (const OptionGroup* group : GroupsOf(path)) {
    for (const Option& option : group->options) AddOption(app, option);
  }
  // At most one: the words behind it that look like commands are its arguments.
  app.require_subcommand(0, 1);
  for (const Command& below : command.commands) {
    CommandPath path_below = path;
    path_below.push_back(&below);
    AddCommand(*app.add_subcommand(below.name), path_below);
  }
}

std::vector<std::string> NamesOfFlags(const CommandPath& path) {
  std::vector<std::string> names;
  for (const OptionGroup* group : GroupsOf(path)) {
    for (const Option& option : group->options) {
      names.push_back("--" + option.name);
      if (IsNegatable(option)) names.push_back("--no-" + option.name);
    }
  }
  return names;
}

Error NoOption(const CommandPath& path, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::string hint =
      name.starts_with("--") ? DidYouMean(name, NamesOfFlags(path)) : std::string();
  return MakeError(Code::kInvalidArgument, "no option {}{}", name, hint);
}

Error NoCommand(const CommandPath& path, const std::string& word) {
  std::vector<std::string> names;
  for (const Command& command : path.back()->commands) names.push_back(command.name);
  return MakeError(Code::kInvalidArgument, "no command '{}'{}", word, DidYouMean(word, names));
}

// A list's text may hold several elements, parted by commas; no other's does.
void AddTexts(const Option& option, const std::vector<std::string>& given, FlagTexts& flags) {
  std::vector<std::string>& texts = flags[option.name];
  for (const std::string& text : given) {
    if (!option.value.is_list()) {
      texts.push_back(text);
      continue;
    }
    for (std::string& element : SplitList(text)) texts.push_back(std::move(element));
  }
}

void AddFlags(const CLI::App& app, const CommandPath& path, FlagTexts& flags) {
  for (const OptionGroup* group : GroupsOf(path)) {
    for (const Option& option : group->options) {
      const CLI::Option& found = *app.get_option("--" + option.name);
      if (found.count() > 0) AddTexts(option, found.results(), flags);
    }
  }
}

// What no option claimed: arguments of a command that runs, mistakes elsewhere.
Status AddRemaining(const CLI::App& app, const CommandPath& path,
                    std::vector<std::string>& arguments) {
  for (const std::string& word : app.remaining()) {
    if (word.size() > 1 && word.front() == '-') return NoOption(path, word);
    if (!path.back()->commands.empty()) return NoCommand(path, word);
    arguments.push_back(word);
  }
  return Ok{};
}

// The command below that CLI11 went down to, or null at the end of the path.
const CLI::App* StepDown(const CLI::App& app, CommandPath& path) {
  const std::vector<CLI::App*> below = app.get_subcommands();
  if (below.empty()) return nullptr;
  for (const Command& command : path.back()->commands) {
    if (command.name != below.front()->get_name()) continue;
    path.push_back(&command);
    break;
  }
  return below.front();
}

CommandPath PathTaken(const Program& program, const CLI::App& root) {
  CommandPath path = PathOf(program);
  for (const CLI::App* app = &root; app != nullptr;) app = StepDown(*app, path);
  return path;
}

Result<CommandLine, UsageError> Collect(const Program& program, const CLI::App& root) {
  CommandLine line{PathOf(program), {}, {}};
  for (const CLI::App* app = &root; app != nullptr; app = StepDown(*app, line.path)) {
    AddFlags(*app, line.path, line.flags);
    if (Status added = AddRemaining(*app, line.path, line.arguments); !added)
      return UsageError{line.path, added.error().message};
  }
  return line;
}

// Words as CLI11 takes them: from the last to the first, and "--x=" as "--x" "", where it would
// take the next word for the value.
std::vector<std::string> Backwards(std::span<const std::string> words) {
  std::vector<std::string> backwards;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    const bool empty_value = word->starts_with("--") && word->find('=') == word->size() - 1;
    if (empty_value) backwards.emplace_back();
    backwards.push_back(empty_value ? word->substr(0, word->size() - 1) : *word);
  }
  return backwards;
}

}  // namespace

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> elements;
  while (true) {
    const std::size_t comma = text.find(',');
    elements.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return elements;
    text.remove_prefix(comma + 1);
  }
}

Result<CommandLine, UsageError> SplitCommandLine(const Program& program,
                                                 std::span<const std::string> words) {
  // The first "--" ends the flags; CLI11 would go on looking for them in the program's own words.
  const auto end = std::find(words.begin(), words.end(), "--");
  const std::span<const std::string> before(words.begin(), end);
  CLI::App root;
  try {
    AddCommand(root, PathOf(program));
    root.parse(Backwards(before));
    Result<CommandLine, UsageError> line = Collect(program, root);
    if (!line || end == words.end()) return line;
    line->arguments.insert(line->arguments.end(), end + 1, words.end());
    if (!line->arguments.empty() && !line->path.back()->commands.empty())
      return UsageError{line->path, NoCommand(line->path, line->arguments.front()).message};
    return line;
  } catch (const CLI::ArgumentMismatch& error) {
    // All that can mismatch is a value that is missing at the end of the line. CLI11's text is
    // "--output: 1 required TEXT missing".
    const std::string text = error.what();
    return UsageError{PathTaken(program, root),
                      fmt::format("{} needs a value", text.substr(0, text.find(':')))};
  } catch (const CLI::Error& error) {
    return UsageError{PathTaken(program, root), error.what()};
  }
}

}  // namespace ptxfarm::config
