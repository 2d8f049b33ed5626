#include "config/completion.h"
#include "config/shell.h"

namespace ptxfarm::config {
namespace {

std::string Alternatives(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : "|") + ShellQuoted(word);
  return out;
}

std::string WordList(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return ShellQuoted(out);
}

std::vector<std::string> ChoicesOf(const Command& command) {
  std::vector<std::string> words;
  for (const Command& below : command.commands) words.push_back(below.name);
  for (const Argument& argument : command.arguments) {
    for (const std::string& choice : argument.value.choices()) words.push_back(choice);
  }
  return words;
}

// The line of the loop over the words that goes down to a command.
std::string PathCase(const Program& program) {
  std::vector<std::string> commands;
  for (const CommandPath& path : AllPaths(program)) {
    if (path.size() > 1) commands.push_back(NameOf(path));
  }
  if (commands.empty()) return "";
  return fmt::format("      {}) path=\"$path ${{COMP_WORDS[i]}}\" ;;\n", Alternatives(commands));
}

// What follows an option that takes a value.
std::string ValueCases(const CommandPath& path) {
  std::string out;
  for (const OptionGroup* group : GroupsOf(path)) {
    for (const Option& option : group->options) {
      if (option.value.is_flag()) continue;
      std::string reply = "return";
      if (option.value.kind() == Kind::kFolder) reply = "_ptxfarm_complete_paths -d; return";
      if (option.value.kind() == Kind::kFile) reply = "_ptxfarm_complete_paths -f; return";
      if (!option.value.choices().empty())
        reply = fmt::format("_ptxfarm_complete_words {}; return", WordList(option.value.choices()));
      out += fmt::format("        {}) {} ;;\n", Alternatives(FlagsOf(option)), reply);
    }
  }
  return out;
}

std::string CommandCase(const CommandPath& path) {
  std::vector<std::string> flags;
  for (const OptionGroup* group : GroupsOf(path)) {
    for (const Option& option : group->options) {
      for (std::string& flag : FlagsOf(option)) flags.push_back(std::move(flag));
    }
  }
  std::string out = fmt::format("    {})\n      case \"$previous\" in\n{}      esac\n",
                                ShellQuoted(NameOf(path)), ValueCases(path));
  out += fmt::format("      if [[ $current == -* ]]; then _ptxfarm_complete_words {}; return; fi\n",
                     WordList(flags));
  const std::vector<std::string> choices = ChoicesOf(*path.back());
  if (!choices.empty()) out += fmt::format("      _ptxfarm_complete_words {}\n", WordList(choices));
  if (ArgumentsArePaths(*path.back())) out += "      _ptxfarm_complete_paths -f\n";
  return out + "      ;;\n";
}

// Shared by the scripts of all our programs, which may be sourced into one shell. The variables are
// those of the function that calls.
constexpr const char* kHelpers = R"(_ptxfarm_complete_words() {
  COMPREPLY+=($(compgen -W "$1" -- "$current"))
}
_ptxfarm_complete_paths() {
  local found
  compopt -o filenames 2>/dev/null
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen "$1" -- "$current")
}
)";

}  // namespace

std::string BashCompletion(const Program& program) {
  const CommandPath root = PathOf(program);
  std::string script = fmt::format("# bash completion of {}, printed from its option rows.\n{}",
                                   program.command.name, kHelpers);
  script += FunctionName(root) + "() {\n";
  script += R"(  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path i
  COMPREPLY=()
  # "--x=y" arrives as three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
)";
  script += fmt::format("  path={}\n", ShellQuoted(NameOf(root)));
  script += fmt::format(
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case \"${{COMP_WORDS[i]}}\" in\n"
      "      --) return ;;\n"
      "      {})\n"
      "        ((i++))\n"
      "        [[ ${{COMP_WORDS[i]}} == '=' ]] && ((i++))\n"
      "        continue ;;\n"
      "    esac\n"
      "    case \"$path ${{COMP_WORDS[i]}}\" in\n{}    esac\n"
      "  done\n",
      Alternatives(ValueFlagsOf(program)), PathCase(program));
  script += "  case \"$path\" in\n";
  for (const CommandPath& path : AllPaths(program)) script += CommandCase(path);
  script +=
      fmt::format("  esac\n}}\ncomplete -F {} {}\n", FunctionName(root), program.command.name);
  return script;
}

}  // namespace ptxfarm::config
