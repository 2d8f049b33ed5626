#include "config/man_page.h"

#include <cctype>

#include "config/config_file.h"
#include "config/text.h"

namespace ptxfarm::config {
namespace {

constexpr const char* kSection = "1";

// Text as roff takes it literally: no escapes, no requests, and hyphens that can be copied into a
// shell.
std::string Roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// As an argument of a macro, in which a quote would end it.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : Roff(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
  return out + "\"";
}

std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string Paragraphs(std::string_view text) {
  std::string out;
  for (const char c : Roff(text)) {
    const bool paragraph_ends = c == '\n' && out.ends_with("\n");
    out += paragraph_ends ? std::string(".PP\n") : std::string(1, c);
  }
  return out + "\n";
}

// A tagged paragraph; the tag may have markup.
std::string Tagged(std::string_view tag, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", tag, Roff(text));
}

std::string Bold(std::string_view text) { return "\\fB" + Roff(text) + "\\fR"; }
std::string Italic(std::string_view text) { return "\\fI" + Roff(text) + "\\fR"; }

std::string Tag(const Option& option) {
  const std::string value = option.value_name.empty() ? "" : " " + Italic(option.value_name);
  std::string flag = FlagUsage(option);
  if (!value.empty()) flag.resize(flag.size() - option.value_name.size() - 1);
  return Bold(flag) + value;
}

std::string Sentences(const Option& option) {
  std::string notes = ValueNotes(option);
  if (notes.empty()) return option.help;
  notes.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(notes.front())));
  return option.help + " " + notes + ".";
}

std::string Options(const CommandPath& path) {
  std::string out = ".SH OPTIONS\n";
  for (const OptionGroup* group : GroupsOf(path)) {
    out += fmt::format(".SS {}\n", Quoted(group->title));
    for (const Option& option : group->options) out += Tagged(Tag(option), Sentences(option));
  }
  return out;
}

std::string EnvironmentSection(const CommandPath& path) {
  std::string out;
  for (const OptionGroup* group : GroupsOf(path)) {
    for (const Option& option : group->options) {
      if (option.extra.reach == Reach::kFlag) continue;
      out += Tagged(Bold(EnvironmentName(option)), fmt::format("As --{}.", option.name));
    }
  }
  if (out.empty()) return out;
  return ".SH ENVIRONMENT\nA flag wins over the variable, and the variable over the config file. A "
         "list is\n"
         "parted by commas; a variable that is set to nothing counts as not set.\n" +
         out;
}

std::string FileKeys(const CommandPath& path) {
  std::string out;
  for (const OptionGroup* group : GroupsOf(path)) {
    std::string keys;
    for (const Option& option : group->options) {
      if (option.extra.reach != Reach::kEverywhere) continue;
      keys += (keys.empty() ? "" : ", ") + option.name;
    }
    if (keys.empty()) continue;
    const std::string where = group->table.empty() ? "top of the file" : "[" + group->table + "]";
    out += Tagged(Bold(where), keys);
  }
  if (out.empty()) return out;
  return ".PP\nThe config file is TOML. Its keys are:\n" + out;
}

std::string Files(const Program& program, const CommandPath& path) {
  std::string out = ".SH FILES\n";
  for (const KnownFile& file : ConfigFilePlaces()) out += Tagged(Italic(file.path), file.what);
  for (const KnownFile& file : program.files) out += Tagged(Italic(file.path), file.what);
  return out + FileKeys(path);
}

std::string ExitStatuses(const Program& program) {
  std::string out = ".SH EXIT STATUS\n" + Tagged(Bold("0"), "All went well.");
  for (const ExitStatus& status : program.exit_statuses)
    out += Tagged(Bold(std::to_string(status.code)), status.meaning);
  return out + Tagged(Bold(std::to_string(kExitUsage)),
                      "The command line, the environment or the config file is wrong.");
}

std::string Examples(const Command& command) {
  std::string out = command.examples.empty() ? "" : ".SH EXAMPLES\n";
  for (const Example& example : command.examples)
    out += Tagged(Bold(example.command), example.what);
  return out;
}

std::string SeeAlso(const CommandPath& path) {
  std::vector<CommandPath> others;
  for (std::size_t length = 1; length < path.size(); ++length)
    others.emplace_back(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length));
  for (const Command& command : path.back()->commands) {
    others.push_back(path);
    others.back().push_back(&command);
  }
  std::string out = others.empty() ? "" : ".SH SEE ALSO\n";
  for (const CommandPath& other : others)
    out += fmt::format(".BR {} ({}){}\n", Roff(NameOf(other, "-")), kSection,
                       &other == &others.back() ? "" : ",");
  return out;
}

}  // namespace

std::string ManPageFileName(const CommandPath& path) {
  return fmt::format("{}.{}", NameOf(path, "-"), kSection);
}

std::string ManPage(const Program& program, const CommandPath& path) {
  const Command& command = *path.back();
  const std::string name = NameOf(path, "-");
  std::string page =
      fmt::format(".TH {} {} \"\" {} {}\n", Quoted(Upper(name)), kSection,
                  Quoted(program.command.name + " " + program.version), Quoted("User Commands"));
  page += fmt::format(".SH NAME\n{} \\- {}\n", Roff(name), Roff(command.summary));
  page += fmt::format(".SH SYNOPSIS\n{}{}\n", Bold(NameOf(path)),
                      Roff(Synopsis(path).substr(NameOf(path).size())));
  page += ".SH DESCRIPTION\n" +
          Paragraphs(command.description.empty() ? command.summary : command.description);
  for (const Argument& argument : command.arguments)
    page += Tagged(Italic(ArgumentUsage(argument)), argument.help);
  if (!command.commands.empty()) page += ".SH COMMANDS\n";
  for (const Command& below : command.commands) page += Tagged(Bold(below.name), below.summary);
  page += Options(path) + EnvironmentSection(path) + Files(program, path) + ExitStatuses(program);
  return page + Examples(command) + SeeAlso(path);
}

}  // namespace ptxfarm::config
