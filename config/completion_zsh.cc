#include "config/completion.h"
#include "config/shell.h"

namespace ptxfarm::config {
namespace {

// In a spec of _arguments these characters part its fields.
std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string Action(const Value& value) {
  if (value.kind() == Kind::kFolder) return "_files -/";
  if (value.kind() == Kind::kFile) return "_files";
  std::string choices;
  for (const std::string& choice : value.choices())
    choices += (choices.empty() ? "" : " ") + Escaped(choice);
  return choices.empty() ? " " : "(" + choices + ")";
}

// "'*--emit=[What to write]:KIND:(cubin fatbin)'": with '=', the value may be the next word or this
// one's rest.
std::string OptionSpecs(const Option& option) {
  std::string specs;
  for (const std::string& flag : FlagsOf(option)) {
    const bool is_long = flag.starts_with("--");
    std::string spec = (option.value.is_list() ? "*" : "") + flag;
    if (!option.value.is_flag()) spec += is_long ? "=" : "+";
    spec += "[" + Escaped(ShortHelp(option)) + "]";
    if (!option.value.is_flag())
      spec += ":" + Escaped(option.value_name) + ":" + Action(option.value);
    specs += " \\\n    " + ShellQuoted(spec);
  }
  return specs;
}

std::string ArgumentSpec(const Argument& argument, std::size_t position) {
  const std::string place =
      argument.value.is_list() ? "*" : std::to_string(position) + (argument.required ? "" : ":");
  return " \\\n    " +
         ShellQuoted(place + ":" + Escaped(argument.name) + ":" + Action(argument.value));
}

std::string CommandsBelow(const CommandPath& path) {
  std::string described, branches;
  for (const Command& below : path.back()->commands) {
    CommandPath path_below = path;
    path_below.push_back(&below);
    described += "\n        " + ShellQuoted(Escaped(below.name) + ":" + Escaped(below.summary));
    branches += fmt::format("        {}) {} ;;\n", below.name, FunctionName(path_below));
  }
  return fmt::format(
      "  case $state in\n"
      "    command)\n"
      "      local -a commands=({})\n"
      "      _describe command commands ;;\n"
      "    rest)\n"
      "      case $line[1] in\n{}      esac ;;\n"
      "  esac\n",
      described, branches);
}

std::string FunctionOf(const CommandPath& path) {
  const Command& command = *path.back();
  std::string specs;
  for (const OptionGroup* group : GroupsOf(path)) {
    for (const Option& option : group->options) specs += OptionSpecs(option);
  }
  for (std::size_t i = 0; i < command.arguments.size(); ++i)
    specs += ArgumentSpec(command.arguments[i], i + 1);
  if (!command.commands.empty()) specs += " \\\n    '1: :->command' \\\n    '*:: :->rest'";
  std::string out = FunctionName(path) + "() {\n";
  out += "  local curcontext=$curcontext state line\n  typeset -A opt_args\n";
  out += fmt::format("  _arguments -C -S{}\n", specs);
  if (!command.commands.empty()) out += CommandsBelow(path);
  return out + "}\n";
}

}  // namespace

std::string ZshCompletion(const Program& program) {
  const std::string name = program.command.name;
  const std::string function = FunctionName(PathOf(program));
  std::string script =
      fmt::format("#compdef {0}\n# zsh completion of {0}, printed from its option rows.\n", name);
  for (const CommandPath& path : AllPaths(program)) script += FunctionOf(path);
  // Autoloaded as a function of that name it completes at once; sourced it registers itself.
  return script +
         fmt::format(
             "if [[ ${{funcstack[1]}} == {0} ]]; then\n  {0} \"$@\"\nelse\n  compdef {0} {1}\nfi\n",
             function, name);
}

}  // namespace ptxfarm::config
