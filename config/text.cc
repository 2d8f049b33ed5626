#include "config/text.h"

namespace ptxfarm::config {

std::string FlagUsage(const Option& option) {
  std::string usage;
  if (option.extra.letter != 0) usage = fmt::format("-{}, ", option.extra.letter);
  usage += fmt::format("--{}{}", IsNegatable(option) ? "[no-]" : "", option.name);
  if (!option.value_name.empty()) usage += " " + option.value_name;
  return usage;
}

std::string ValueNotes(const Option& option) {
  std::string notes;
  const auto add = [&notes](const std::string& note) {
    notes += (notes.empty() ? "" : "; ") + note;
  };
  if (option.value.is_flag() && !IsNegatable(option)) return notes;
  if (!option.value.default_text().empty()) {
    const std::string shown = !option.value.is_flag()                 ? option.value.default_text()
                              : option.value.default_text() == "true" ? "on"
                                                                      : "off";
    add("default " + shown);
  }
  if (!option.value.choices().empty()) {
    add((option.value.is_list() ? "any of " : "one of ") + option.value.allowed());
  } else if (!option.value.is_flag() && !option.value.allowed().empty()) {
    add(option.value.allowed());
  }
  if (option.value.is_list()) add("may be given several times");
  return notes;
}

std::string ArgumentUsage(const Argument& argument) {
  std::string usage = argument.name;
  if (argument.value.is_list()) usage += "...";
  return argument.required ? usage : "[" + usage + "]";
}

std::string Synopsis(const CommandPath& path) {
  std::string synopsis = NameOf(path) + " [OPTION]...";
  if (!path.back()->commands.empty()) synopsis += " COMMAND";
  for (const Argument& argument : path.back()->arguments) synopsis += " " + ArgumentUsage(argument);
  return synopsis;
}

std::size_t Columns(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return columns;
}

namespace {

void WrapLine(std::string_view line, std::size_t indent, std::size_t width, std::string& out) {
  std::size_t column = 0;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (word.empty()) continue;
    if (column != 0 && column + 1 + Columns(word) > width) {
      out += '\n';
      column = 0;
    }
    out += column == 0 ? std::string(indent, ' ') : " ";
    column = (column == 0 ? indent : column + 1) + Columns(word);
    out += word;
  }
  out += '\n';
}

}  // namespace

std::string Wrap(std::string_view text, std::size_t indent, std::size_t width) {
  std::string wrapped;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    WrapLine(text.substr(0, end), indent, width, wrapped);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped;
}

}  // namespace ptxfarm::config
