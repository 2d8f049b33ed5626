#include "config/markdown.h"

#include "config/text.h"

namespace ptxfarm::config {
namespace {

// A bar would end the cell.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string Code(std::string_view text) {
  return text.empty() ? "" : fmt::format("`{}`", Cell(text));
}

std::string FileKey(const OptionGroup& group, const Option& option) {
  if (option.extra.reach != Reach::kEverywhere) return "";
  return group.table.empty() ? option.name : fmt::format("{}.{}", group.table, option.name);
}

std::string Meaning(const Option& option) {
  std::string meaning = option.help;
  if (!option.value.is_flag() && !option.value.allowed().empty())
    meaning += fmt::format(" Allowed: {}.", option.value.allowed());
  if (option.value.is_list()) meaning += " May be given several times.";
  return Cell(meaning);
}

std::string Table(const OptionGroup& group) {
  std::string table = fmt::format(
      "\n**{}**\n\n| flag | environment | file | default | meaning |\n|---|---|---|---|---|\n",
      group.title);
  for (const Option& option : group.options) {
    const bool in_environment = option.extra.reach != Reach::kFlag;
    table += fmt::format("| {} | {} | {} | {} | {} |\n", Code(FlagUsage(option)),
                         Code(in_environment ? EnvironmentName(option) : ""),
                         Code(FileKey(group, option)),
                         Code(in_environment ? option.value.default_text() : ""), Meaning(option));
  }
  return table;
}

}  // namespace

std::string Markdown(const Program& program, int level) {
  std::string out;
  for (const CommandPath& path : AllPaths(program)) {
    const Command& command = *path.back();
    const int depth = level + static_cast<int>(path.size()) - 1;
    if (!out.empty()) out += "\n";
    out +=
        fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(depth), '#'), NameOf(path));
    out += fmt::format("`{}`\n\n", Synopsis(path));
    out += (command.description.empty() ? command.summary : command.description) + "\n";
    if (!command.arguments.empty()) out += "\n";
    for (const Argument& argument : command.arguments)
      out += fmt::format("- `{}`: {}\n", ArgumentUsage(argument), argument.help);
    for (const OptionGroup& group : command.options) out += Table(group);
  }
  return out;
}

}  // namespace ptxfarm::config
