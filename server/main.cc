// `ptxfarm-server`: the front door and the store, for workers that come to it.
#include <fmt/format.h>

#include "base/version.h"
#include "config/run.h"
#include "server/options.h"
#include "server/server.h"
#include "service/end_signals.h"
#include "service/log_options.h"
#include "telemetry/process_metrics.h"

namespace ptxfarm::server {
namespace {

constexpr int kExitFailure = 3;

constexpr char kDescription[] =
    "Takes PTX modules and lists of targets over gRPC, gives the work to the workers that come to "
    "it (ptxfarm-worker), and keeps "
    "every result by content.\n\n"
    "Ends on SIGTERM or SIGINT: it takes no more compiles, lets those under way end within "
    "--drain-timeout, and closes its "
    "store. A second signal ends it at once.";

int Serve(const ServerOptions& options, const service::LogOptions& log_options) {
  const service::EndSignals signals;
  const RealClock clock;
  Result<std::unique_ptr<telemetry::LogSink>> sink = service::OpenLog(log_options);
  if (!sink) {
    fmt::print(stderr, "ptxfarm-server: {}\n", sink.error().message);
    return kExitFailure;
  }
  telemetry::Logger logger(**sink, clock, log_options.log);
  telemetry::Metrics metrics;
  const telemetry::ProcessMetrics process(metrics, std::string(kVersion));
  Result<std::unique_ptr<Server>> server = Server::Start(options, clock, logger, metrics);
  if (!server) {
    fmt::print(stderr, "ptxfarm-server: {}\n", server.error().message);
    return kExitFailure;
  }
  logger.Log(telemetry::Level::kInfo, "signal_received", {{"signal", signals.Wait()}});
  signals.Release();
  (*server)->Stop(options.drain_timeout);
  return 0;
}

}  // namespace
}  // namespace ptxfarm::server

int main(int argc, char** argv) {
  using ptxfarm::server::ServerOptions;
  ServerOptions options;
  ptxfarm::service::LogOptions log_options;
  std::vector<ptxfarm::config::OptionGroup> groups = ptxfarm::server::OptionGroups(options);
  groups.push_back(ptxfarm::service::LogGroup(log_options, "server"));
  return ptxfarm::config::Run(
      {.version = std::string(ptxfarm::kVersion),
       .command = {.name = "ptxfarm-server",
                   .summary = "the front door and store of a ptxfarm",
                   .description = ptxfarm::server::kDescription,
                   .options = std::move(groups),
                   .examples = {{"ptxfarm-server --store /var/lib/ptxfarm",
                                 "A farm for this machine alone."},
                                {"ptxfarm-server --listen 0.0.0.0:8980 --tls-cert server.pem "
                                 "--tls-key server.key --tokens tokens",
                                 "A farm for a team."}},
                   .run = [&] { return ptxfarm::server::Serve(options, log_options); }},
       .exit_statuses = {{ptxfarm::server::kExitFailure,
                          "The server could not start; standard error says why."}}},
      argc, argv);
}
