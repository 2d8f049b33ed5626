#include "client/session.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/file.h"
#include "base/version.h"
#include "client/local/process.h"
#include "client/report/json.h"
#include "config/units.h"
#include "config/value.h"

namespace ptxfarm::client {

std::vector<config::OptionGroup> CliGroups(CliOptions& o) {
  using namespace std::chrono_literals;
  using config::Reach;
  std::vector<config::OptionGroup> groups;
  // clang-format off
  groups.push_back({"Server", "client", {
      {"server",          "ADDRESS",  "The farm to ask: host:port, [ipv6]:port or unix:/path. Where none is named, a farm "
                                      "of this user on this machine is used, and started if need be.",
                                                                                config::Text(&o.connect.server)},
      {"token-file",      "FILE",     "A file with one line: the token that says who asks.", config::File(&o.connect.token_file)},
      {"tls",             "",         "Encrypts, and trusts the authorities that this system trusts.", config::Flag(&o.connect.tls)},
      {"tls-ca",          "FILE",     "Encrypts, and trusts the authorities of this PEM file.", config::File(&o.connect.tls_ca)},
      {"tls-cert",        "FILE",     "Our certificate, for servers that ask for one (PEM).", config::File(&o.connect.tls_cert)},
      {"tls-key",         "FILE",     "The key of our certificate (PEM).",       config::File(&o.connect.tls_key)},
      {"tls-name",        "NAME",     "The name in the server's certificate, where it isn't that of the address.",
                                                                                config::Text(&o.connect.tls_name)},
      {"plaintext",       "",         "Allows a connection to another host that isn't encrypted.", config::Flag(&o.connect.plaintext)},
      {"connect-timeout", "DURATION", "How long the server may take to answer at all.",
                                       config::Duration(&o.connect.connect_timeout, {100ms, 10min})},
      {"attempts",        "N",        "Tries of a call whose server is away, restarting or full, the first included.",
                                       config::Count(&o.connect.attempts_max, {1, 100})},
      {"farm-idle-time",  "DURATION", "How long the local farm stays without work, where this call starts it.",
                                       config::Duration(&o.farm_idle_time, {1s, 24h})},
  }});
  groups.push_back({"Output", "client", {
      {"color",           "WHEN",     "Colours. NO_COLOR in the environment counts as never where this is auto.",
                                       config::Choice<ColorMode>(&o.color, {{"auto", ColorMode::kAuto},
                                                                            {"always", ColorMode::kAlways},
                                                                            {"never", ColorMode::kNever}})},
      {"json",            "",         "Prints one JSON document instead of text (docs/json.md).", config::Flag(&o.json), {.reach = Reach::kFlag}},
      {"quiet",           "",         "Says only what is wrong.",                config::Flag(&o.quiet), {.letter = 'q', .reach = Reach::kFlag}},
  }});
  // clang-format on
  return groups;
}

Session::Session(const CliOptions& options)
    : options_(options),
      out_(DetectTerminal(STDOUT_FILENO, options.color)),
      err_(DetectTerminal(STDERR_FILENO, options.color)) {}

Result<Client> Session::Connect(const Notice& notice) const {
  if (!uses_local_farm()) return Client::Connect(options_.connect);
  PTXFARM_ASSIGN_OR_RETURN(const local::LocalFarmOptions farm, FarmOptions(notice));
  PTXFARM_RETURN_IF_ERROR(local::EnsureFarm(farm));
  // None of the TLS options matter on the farm's own socket: they are meant for servers.
  return Client::Connect({.server = farm.files.address(),
                          .connect_timeout = options_.connect.connect_timeout,
                          .attempts_max = options_.connect.attempts_max,
                          .revive = [farm]() -> Status {
                            PTXFARM_RETURN_IF_ERROR(local::EnsureFarm(farm));
                            return Ok{};
                          }});
}

Result<local::LocalFarmOptions> Session::FarmOptions(const Notice& notice) const {
  local::LocalFarmOptions farm{.version = std::string(kVersion), .notice = notice};
  PTXFARM_ASSIGN_OR_RETURN(farm.files, local::MakeFarmFiles(local::FoldersOfUser()));
  PTXFARM_ASSIGN_OR_RETURN(farm.program, local::FindServeProgram());
  farm.arguments = {"--local-runtime",    farm.files.runtime_folder,
                    "--local-cache",      farm.files.cache_folder,
                    "--ready-descriptor", std::to_string(local::kReadyDescriptor),
                    "--idle-time",        config::FormatDuration(options_.farm_idle_time)};
  return farm;
}

ExitCode Session::Print(std::string_view text, ExitCode code) const {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return code;
  // Whoever read has seen enough.
  if (errno != EPIPE) PrintError(ErrnoError(errno, "write the standard output").message);
  return Worse(code, ExitCode::kFile);
}

ExitCode Session::PrintTo(const std::string& path, std::string_view text) const {
  if (path == "-") return Print(text);
  const Status written = WriteFileAtomically(path, text);
  if (written) return ExitCode::kOk;
  PrintError(written.error().message);
  return ExitCode::kFile;
}

void Session::PrintError(std::string_view message) const {
  fmt::print(stderr, "ptxfarm: {} {}\n", Styled("error:", Style::kRed, err_.color),
             PrintableLines(message));
}

void Session::PrintNote(std::string_view message) const {
  if (!options_.quiet) fmt::print(stderr, "ptxfarm: {}\n", PrintableLines(message));
}

ExitCode Session::Fail(std::string_view command, const Error& error, ExitCode code) const {
  if (options_.json) return Print(client::Print(ErrorDocument(command, error, code)), code);
  PrintError(error.message);
  return code;
}

}  // namespace ptxfarm::client
