#include "config/program.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace ptxfarm::config {

std::string EnvironmentName(const Option& option) {
  std::string name = "PTXFARM_";
  for (const char c : option.name)
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

bool IsNegatable(const Option& option) {
  return option.value.is_flag() && option.extra.reach != Reach::kFlag;
}

CommandPath PathOf(const Program& program) { return {&program.command}; }

namespace {

void AddPaths(const CommandPath& path, std::vector<CommandPath>& paths) {
  paths.push_back(path);
  for (const Command& command : path.back()->commands) {
    CommandPath below = path;
    below.push_back(&command);
    AddPaths(below, paths);
  }
}

}  // namespace

std::vector<CommandPath> AllPaths(const Program& program) {
  std::vector<CommandPath> paths;
  AddPaths(PathOf(program), paths);
  return paths;
}

std::string NameOf(const CommandPath& path, std::string_view separator) {
  std::string name;
  for (const Command* command : path) {
    if (!name.empty()) name += separator;
    name += command->name;
  }
  return name;
}

std::vector<const OptionGroup*> GroupsOf(const CommandPath& path) {
  std::vector<const OptionGroup*> groups;
  for (auto command = path.rbegin(); command != path.rend(); ++command) {
    for (const OptionGroup& group : (*command)->options) groups.push_back(&group);
  }
  return groups;
}

namespace {

void CheckGroup(const OptionGroup& group, const std::string& where, std::set<std::string>& used) {
  const bool known_table = group.table.empty() ||
                           std::find(std::begin(kFileTables), std::end(kFileTables), group.table) !=
                               std::end(kFileTables);
  PTXFARM_CHECK(known_table, fmt::format("{}: no table '{}'", where, group.table));
  for (const Option& option : group.options) {
    const std::string at = fmt::format("{} --{}", where, option.name);
    PTXFARM_CHECK(used.insert("--" + option.name).second, at);
    if (option.extra.letter != 0)
      PTXFARM_CHECK(used.insert(std::string("-") + option.extra.letter).second, at);
    PTXFARM_CHECK(!option.help.empty(), at);
    PTXFARM_CHECK(option.value.is_flag() == option.value_name.empty(), at);
    if (IsNegatable(option)) PTXFARM_CHECK(used.insert("--no-" + option.name).second, at);
  }
}

void CheckArguments(const Command& command, const std::string& where) {
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const Argument& argument = command.arguments[i];
    PTXFARM_CHECK(!argument.value.is_list() || i + 1 == command.arguments.size(), where);
    PTXFARM_CHECK(i == 0 || !argument.required || command.arguments[i - 1].required, where);
  }
}

}  // namespace

void CheckRows(const Program& program) {
  for (const CommandPath& path : AllPaths(program)) {
    const Command& command = *path.back();
    const std::string where = NameOf(path);
    std::set<std::string> used;
    for (const OptionGroup* group : GroupsOf(path)) CheckGroup(*group, where, used);
    CheckArguments(command, where);
    PTXFARM_CHECK((command.run == nullptr) == !command.commands.empty(), where);
    PTXFARM_CHECK(command.commands.empty() || command.arguments.empty(), where);
    PTXFARM_CHECK(!command.summary.empty(), where);
  }
}

}  // namespace ptxfarm::config
