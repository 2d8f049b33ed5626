// What all commands of the CLI share: its options, its terminals, and the way to a farm.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "client/exit_code.h"
#include "client/lib/client.h"
#include "client/local/local_farm.h"
#include "client/terminal.h"
#include "config/program.h"

namespace ptxfarm::client {

struct CliOptions {
  ConnectOptions connect;  // An empty server means the local farm.
  ColorMode color = ColorMode::kAuto;
  bool json = false;
  bool quiet = false;
  std::chrono::seconds farm_idle_time = std::chrono::minutes(10);
};

// The rows of those options; the struct must outlive them.
std::vector<config::OptionGroup> CliGroups(CliOptions& options);

// Called with what takes a while, for a person.
using Notice = std::function<void(const std::string&)>;

class Session {
 public:
  explicit Session(const CliOptions& options);

  const CliOptions& options() const { return options_; }
  const Terminal& out() const { return out_; }
  const Terminal& err() const { return err_; }

  bool uses_local_farm() const { return options_.connect.server.empty(); }

  // The configured server; or the local farm, which is started where it doesn't run, and again when
  // it dies in the middle of a call.
  Result<Client> Connect(const Notice& notice) const;

  // What the local farm is started with.
  Result<local::LocalFarmOptions> FarmOptions(const Notice& notice) const;

  // Writes to the standard output, and says on standard error where that fails. The exit code is
  // `code`, or kFile.
  ExitCode Print(std::string_view text, ExitCode code = ExitCode::kOk) const;
  // Writes to the file, or to the standard output where it is "-"; likewise.
  ExitCode PrintTo(const std::string& path, std::string_view text) const;
  // "ptxfarm: error: …" on standard error.
  void PrintError(std::string_view message) const;
  // "ptxfarm: …", unless --quiet.
  void PrintNote(std::string_view message) const;

  // Ends a command that failed as a whole: with --json a document on the standard output, else a
  // message.
  ExitCode Fail(std::string_view command, const Error& error, ExitCode code) const;

 private:
  const CliOptions& options_;
  const Terminal out_;
  const Terminal err_;
};

}  // namespace ptxfarm::client
