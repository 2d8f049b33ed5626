#include "client/program.h"

#include <cstdio>

#include <fmt/ranges.h>

#include "base/version.h"
#include "client/commands/status_command.h"
#include "config/completion.h"
#include "config/general.h"
#include "config/man_page.h"

namespace ptxfarm::client {
namespace {

// As config::Run prints it: with the options that every program has.
config::Program Whole(AllOptions& options, config::GeneralOptions& general) {
  return config::WithGeneralOptions(MakeProgram(options), general);
}

int PrintCompletion(const std::string& shell, const Session& session) {
  AllOptions options;
  config::GeneralOptions general;
  const config::Program program = Whole(options, general);
  if (shell == "bash") return static_cast<int>(session.Print(config::BashCompletion(program)));
  if (shell == "zsh") return static_cast<int>(session.Print(config::ZshCompletion(program)));
  if (shell == "fish") return static_cast<int>(session.Print(config::FishCompletion(program)));
  session.PrintError(
      fmt::format("'{}' is no shell that is known here: bash, zsh or fish", Printable(shell)));
  return static_cast<int>(ExitCode::kUsage);
}

int PrintManPage(const std::vector<std::string>& words, const Session& session) {
  AllOptions options;
  config::GeneralOptions general;
  const config::Program program = Whole(options, general);
  std::string wanted = "ptxfarm";
  for (const std::string& word : words) wanted += " " + word;
  for (const config::CommandPath& path : config::AllPaths(program))
    if (config::NameOf(path) == wanted)
      return static_cast<int>(session.Print(config::ManPage(program, path)));
  session.PrintError(
      fmt::format("'{}' is no command; 'ptxfarm --help' lists them", Printable(wanted)));
  return static_cast<int>(ExitCode::kUsage);
}

config::Command CompletionRow(AllOptions& o) {
  config::Command command{
      .name = "completion",
      .summary = "prints the completion script of a shell",
      .description =
          "For bash: source <(ptxfarm completion bash). For zsh put it as _ptxfarm into a folder "
          "of $fpath, for "
          "fish into ~/.config/fish/completions. An installed ptxfarm has them in place.",
  };
  command.arguments = {{"SHELL", "bash, zsh or fish.", config::Text(&o.shell)}};
  command.run = [&o] { return PrintCompletion(o.shell, Session(o.cli)); };
  return command;
}

config::Command ManRow(AllOptions& o) {
  config::Command command{
      .name = "man",
      .summary = "prints a man page",
      .description = "Of ptxfarm, or of the command named: ptxfarm man fatbin list | man -l -",
  };
  command.arguments = {{"COMMAND", "The command's words.", config::List(&o.page), false}};
  command.run = [&o] { return PrintManPage(o.page, Session(o.cli)); };
  return command;
}

}  // namespace

config::Program MakeProgram(AllOptions& o) {
  config::Program program{.version = std::string(kVersion)};
  program.command = {
      .name = "ptxfarm",
      .summary =
          "compiles PTX for lists of GPU targets, on a farm that never compiles anything twice",
      .description =
          "Modules go in; cubins, fat binaries, diagnostics and what each kernel needs come out. "
          "Results are kept by "
          "content, so equal work is done once for all users of a farm. Where no server is "
          "configured, a farm of "
          "this user on this machine is used, and started if need be.",
      .options = CliGroups(o.cli),
  };
  std::vector<config::Command>& commands = program.command.commands;
  commands.push_back(CompileCommand(o.cli, o.compile));
  commands.push_back(FatbinCommand(o.cli, o.fatbin));
  commands.push_back(InspectCommand(o.cli, o.inspect));
  commands.push_back(CheckCommand(o.cli, o.check));
  commands.push_back(PlanCommand(o.cli, o.plan));
  commands.push_back(FormatCommand(o.cli, o.format));
  commands.push_back(ExplainCommand(o.cli, o.explain));
  commands.push_back(TargetsCommand(o.cli));
  commands.push_back(StatusCommand(o.cli));
  commands.push_back(ServeCommand());
  commands.push_back(StopCommand(o.cli, o.stop));
  commands.push_back(CacheCommand(o.cli, o.drop_in, o.cache));
  commands.push_back(CompletionRow(o));
  commands.push_back(ManRow(o));
  for (const ExitCodeRow& row : ExitCodes())
    if (row.code != ExitCode::kOk && row.code != ExitCode::kUsage)
      program.exit_statuses.push_back({static_cast<int>(row.code), std::string(row.meaning)});
  program.files = {
      {"$XDG_RUNTIME_DIR/ptxfarm",
       "socket and locks of the local farm; without that variable /run/user/UID/ptxfarm or "
       "/tmp/ptxfarm-UID"},
      {"$XDG_CACHE_HOME/ptxfarm",
       "store and log of the local farm; without that variable ~/.cache/ptxfarm"},
  };
  return program;
}

}  // namespace ptxfarm::client
