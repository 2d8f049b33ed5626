#include "config/shell.h"

#include <algorithm>

namespace ptxfarm::config {

std::string ShellQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string FunctionName(const CommandPath& path) {
  std::string name = "_" + NameOf(path, "_");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> FlagsOf(const Option& option) {
  std::vector<std::string> flags{"--" + option.name};
  if (IsNegatable(option)) flags.push_back("--no-" + option.name);
  if (option.extra.letter != 0) flags.push_back(std::string("-") + option.extra.letter);
  return flags;
}

std::vector<std::string> ValueFlagsOf(const Program& program) {
  std::vector<std::string> flags;
  for (const CommandPath& path : AllPaths(program)) {
    for (const OptionGroup& group : path.back()->options) {
      for (const Option& option : group.options) {
        if (option.value.is_flag()) continue;
        for (std::string& flag : FlagsOf(option)) {
          if (std::find(flags.begin(), flags.end(), flag) == flags.end())
            flags.push_back(std::move(flag));
        }
      }
    }
  }
  return flags;
}

std::string ShortHelp(const Option& option) {
  const std::size_t end = option.help.find(". ");
  std::string help = option.help.substr(0, end);
  if (help.ends_with('.')) help.pop_back();
  std::replace(help.begin(), help.end(), '\n', ' ');
  return help;
}

bool TakesPath(const Value& value) {
  return value.kind() == Kind::kFile || value.kind() == Kind::kFolder;
}

bool ArgumentsArePaths(const Command& command) {
  return std::any_of(command.arguments.begin(), command.arguments.end(),
                     [](const Argument& argument) { return TakesPath(argument.value); });
}

}  // namespace ptxfarm::config
