#include "client/commands/farm_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <vector>

#include "client/local/local_farm.h"
#include "client/report/json.h"

namespace ptxfarm::client {
namespace {

ExitCode Stop(const Session& session, const StopOptions& options) {
  if (!session.uses_local_farm())
    return session.Fail(
        "stop",
        MakeError(
            Code::kInvalidArgument,
            "stop ends the local farm, but the server {} is configured; its own host ends that one",
            session.options().connect.server),
        ExitCode::kUsage);
  const Result<local::FarmFiles> files = local::MakeFarmFiles(local::FoldersOfUser());
  if (!files) return session.Fail("stop", files.error(), ExitCode::kService);
  const Result<bool> stopped = local::StopFarm(*files, options.wait);
  if (!stopped) return session.Fail("stop", stopped.error(), ExitCode::kService);
  if (session.options().json) {
    Json document = Document("stop");
    document["stopped"] = *stopped;
    return session.Print(Print(document));
  }
  if (!session.options().quiet)
    return session.Print(*stopped ? "the local farm has ended\n" : "no local farm was running\n");
  return ExitCode::kOk;
}

}  // namespace

config::Command StopCommand(const CliOptions& cli, StopOptions& o) {
  config::Command command{
      .name = "stop",
      .summary = "ends the local farm",
      .description =
          "Lets the local farm finish what it has under way, and ends it. The next compile starts "
          "it again; its "
          "store stays.",
  };
  command.options.push_back(
      {"Stop",
       "client",
       {{"wait",
         "DURATION",
         "How long it may take to finish; then it is killed.",
         config::Duration(&o.wait, {std::chrono::milliseconds(0), std::chrono::hours(24)}),
         {.reach = config::Reach::kFlag}}}});
  command.run = [&cli, &o] { return static_cast<int>(Stop(Session(cli), o)); };
  return command;
}

config::Command ServeCommand() {
  config::Command command{
      .name = "serve",
      .summary = "runs a farm in the foreground: server and worker in one process",
      .description =
          "All words behind serve go to ptxfarm-serve, which has a man page and a --help of its "
          "own: where to "
          "listen, TLS, tokens, the store, the worker's compilers.",
      .examples = {{"ptxfarm serve --listen 0.0.0.0:8980 --tls-cert farm.pem --tls-key farm.key",
                    "Serves other machines."}},
  };
  command.run = [] { return ExecServe({}); };
  return command;
}

int ExecServe(std::span<char* const> words) {
  const Result<std::string> program = local::FindServeProgram();
  if (!program) {
    fmt::print(stderr, "ptxfarm: error: {}\n", program.error().message);
    return static_cast<int>(ExitCode::kService);
  }
  std::vector<char*> arguments = {const_cast<char*>(program->c_str())};
  arguments.insert(arguments.end(), words.begin(), words.end());
  arguments.push_back(nullptr);
  ::execv(program->c_str(), arguments.data());
  fmt::print(stderr, "ptxfarm: error: {}\n", ErrnoError(errno, "start " + *program).message);
  return static_cast<int>(ExitCode::kService);
}

}  // namespace ptxfarm::client
