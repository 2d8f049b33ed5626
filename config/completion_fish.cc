#include "config/completion.h"
#include "config/shell.h"

namespace ptxfarm::config {
namespace {

// Unlike in bash, \ and ' can be escaped inside of single quotes.
std::string FishQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string FishWords(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += " " + FishQuoted(word);
  return out;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

// The function that says whether the words so far name a command.
std::string AtFunction(const Program& program, const std::string& at) {
  std::vector<std::string> commands;
  for (const CommandPath& path : AllPaths(program)) commands.push_back(NameOf(path));
  return fmt::format(
      "function {}\n"
      "  set -l path {}\n"
      "  set -l skip 0\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    if test $skip -eq 1\n"
      "      set skip 0\n"
      "    else if contains -- $word{}\n"
      "      set skip 1\n"
      "    else if contains -- \"$path $word\"{}\n"
      "      set path \"$path $word\"\n"
      "    end\n"
      "  end\n"
      "  test \"$path\" = \"$argv[1]\"\n"
      "end\n",
      at, FishQuoted(program.command.name), FishWords(ValueFlagsOf(program)), FishWords(commands));
}

std::string OptionLines(const std::string& begin, const Option& option) {
  std::string line = fmt::format("{} -l {}", begin, option.name);
  if (option.extra.letter != 0) line += fmt::format(" -s {}", option.extra.letter);
  if (TakesPath(option.value)) {
    line += " -r -F";
  } else if (!option.value.choices().empty()) {
    line += " -x -a " + FishQuoted(Joined(option.value.choices()));
  } else if (!option.value.is_flag()) {
    line += " -x";
  }
  const std::string help = " -d " + FishQuoted(ShortHelp(option)) + "\n";
  std::string lines = line + help;
  if (IsNegatable(option)) lines += fmt::format("{} -l no-{}{}", begin, option.name, help);
  return lines;
}

}  // namespace

std::string FishCompletion(const Program& program) {
  const std::string name = program.command.name;
  const std::string at = "_" + FunctionName(PathOf(program)) + "_at";
  std::string script =
      fmt::format("# fish completion of {0}, printed from its option rows.\n", name);
  script += AtFunction(program, at);
  script += fmt::format("complete -c {} -f\n", name);
  for (const CommandPath& path : AllPaths(program)) {
    const std::string begin =
        fmt::format("complete -c {} -n {}", name, FishQuoted(at + " " + FishQuoted(NameOf(path))));
    const Command& command = *path.back();
    for (const Command& below : command.commands)
      script += fmt::format("{} -a {} -d {}\n", begin, below.name, FishQuoted(below.summary));
    for (const Argument& argument : command.arguments) {
      if (!argument.value.choices().empty())
        script += fmt::format("{} -a {}\n", begin, FishQuoted(Joined(argument.value.choices())));
    }
    if (ArgumentsArePaths(command)) script += begin + " -F\n";
    for (const OptionGroup* group : GroupsOf(path)) {
      for (const Option& option : group->options) script += OptionLines(begin, option);
    }
  }
  return script;
}

}  // namespace ptxfarm::config
