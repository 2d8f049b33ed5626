#include "config/run.h"

#include <cstdio>
#include <optional>

#include "config/command_line.h"
#include "config/completion.h"
#include "config/config_file.h"
#include "config/general.h"
#include "config/help.h"
#include "config/load.h"
#include "config/man_page.h"
#include "config/markdown.h"

namespace ptxfarm::config {
namespace {

int Refuse(const CommandPath& path, const std::string& message) {
  fmt::print(stderr, "{0}: {1}\nTry '{0} --help'.\n", NameOf(path), message);
  return kExitUsage;
}

// A reader that went away or a full disk must not look like success.
int PrintOut(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return written && std::fflush(stdout) == 0 ? 0 : 1;
}

Status AssignArguments(const Command& command, std::span<const std::string> words) {
  for (const Argument& argument : command.arguments) {
    const std::size_t taken =
        argument.value.is_list() ? words.size() : std::min<std::size_t>(words.size(), 1);
    if (taken == 0 && argument.required)
      return MakeError(Code::kInvalidArgument, "{} is missing", argument.name);
    if (taken == 0) break;
    if (Status set = argument.value.Assign(words.first(taken)); !set)
      return std::move(set).error().Wrap("{}", argument.name);
    words = words.subspan(taken);
  }
  if (!words.empty())
    return MakeError(Code::kInvalidArgument, "'{}' is one too many", words.front());
  return Ok{};
}

// The line of a setting as it would stand in a config file, and whose word it is.
std::string Describe(const Setting& setting) {
  std::string texts;
  for (const std::string& text : setting.texts) texts += (texts.empty() ? "" : ",") + text;
  if (setting.source == "default") texts = setting.option->value.default_text();
  return fmt::format("{} = \"{}\"  # {}\n", setting.option->name, texts, setting.source);
}

std::string DescribeAll(const std::vector<Setting>& settings) {
  std::string out;
  for (const Setting& setting : settings) {
    if (setting.option->extra.reach == Reach::kEverywhere) out += Describe(setting);
  }
  return out;
}

std::string Printed(const Program& program, const CommandPath& path, Print what,
                    const std::vector<Setting>& settings) {
  switch (what) {
    case Print::kConfig: return DescribeAll(settings);
    case Print::kMan: return ManPage(program, path);
    case Print::kMarkdown: return Markdown(program, 2);
    case Print::kBash: return BashCompletion(program);
    case Print::kZsh: return ZshCompletion(program);
    case Print::kFish: return FishCompletion(program);
    case Print::kNothing: break;
  }
  return "";
}

// General options come first: --help must answer whatever else is wrong.
Status LoadGeneral(const Program& program, const FlagTexts& flags, const Environment& environment) {
  const OptionGroup* const general[] = {&program.command.options.back()};
  PTXFARM_RETURN_IF_ERROR(Load(general, flags, environment, nullptr));
  return Ok{};
}

}  // namespace

int Run(Program bare_program, std::span<const std::string> words, const Environment& environment) {
  GeneralOptions general;
  const Program program = WithGeneralOptions(std::move(bare_program), general);
  CheckRows(program);

  Result<CommandLine, UsageError> line = SplitCommandLine(program, words);
  if (!line) return Refuse(line.error().path, line.error().message);
  if (Status loaded = LoadGeneral(program, line->flags, environment); !loaded)
    return Refuse(line->path, loaded.error().message);
  if (general.help) return PrintOut(Help(line->path, HelpWidth()));
  if (general.version)
    return PrintOut(fmt::format("{} {}\n", program.command.name, program.version));
  const bool printing_rows = general.print != Print::kNothing && general.print != Print::kConfig;
  if (printing_rows) return PrintOut(Printed(program, line->path, general.print, {}));

  std::optional<ConfigFile> file;
  if (const auto path = FindConfigFile(general.config, environment)) {
    Result<ConfigFile> read = ReadConfigFile(*path, program);
    if (!read) return Refuse(line->path, read.error().message);
    file = *std::move(read);
  }
  const Result<std::vector<Setting>> settings =
      Load(GroupsOf(line->path), line->flags, environment, file ? &*file : nullptr);
  if (!settings) return Refuse(line->path, settings.error().message);
  if (general.print == Print::kConfig)
    return PrintOut(Printed(program, line->path, general.print, *settings));

  const Command& command = *line->path.back();
  if (!command.commands.empty()) return Refuse(line->path, "a command is missing");
  if (Status assigned = AssignArguments(command, line->arguments); !assigned)
    return Refuse(line->path, assigned.error().message);
  return command.run();
}

int Run(Program program, int argc, const char* const* argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  return Run(std::move(program), words, ProcessEnvironment());
}

}  // namespace ptxfarm::config
