// `ptxfarm-serve`: a whole farm in one process. `ptxfarm serve` runs it in the foreground; `ptxfarm
// compile` starts it as the local farm of its user.
#include <signal.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/version.h"
#include "config/run.h"
#include "farm/farm.h"
#include "farm/local_presence.h"
#include "farm/options.h"
#include "telemetry/process_metrics.h"

namespace ptxfarm::farm {
namespace {

constexpr int kExitFailure = 3;
constexpr std::chrono::seconds kReadyTimeout(30);

constexpr char kDescription[] =
    "Takes PTX modules and lists of targets over gRPC, compiles them with the CUDA toolkits of "
    "this machine, each compile "
    "confined to a process of its own, and keeps every result by content. Other machines can work "
    "for it too "
    "(ptxfarm-worker).\n\n"
    "Ends on SIGTERM or SIGINT: it takes no more calls, lets those under way end within "
    "--drain-timeout, and closes its "
    "store. A second signal ends it at once.";

int Refuse(const Error& error) {
  fmt::print(stderr, "ptxfarm-serve: {}\n", error.message);
  return kExitFailure;
}

int Serve(FarmOptions options) {
  const service::EndSignals signals;
  ::signal(SIGPIPE, SIG_IGN);
  if (const Status settled = Settle(options); !settled) {
    Refuse(settled.error());
    return config::kExitUsage;
  }
  std::unique_ptr<LocalPresence> presence;
  if (options.is_local()) {
    ::umask(077);
    Result<std::unique_ptr<LocalPresence>> taken =
        LocalPresence::Take({options.local_runtime, options.local_cache}, options.ready_descriptor);
    if (!taken) return Refuse(taken.error());
    presence = *std::move(taken);
  }
  const RealClock clock;
  const Result<std::unique_ptr<telemetry::LogSink>> sink = service::OpenLog(options.log);
  if (!sink) return Refuse(sink.error());
  telemetry::Logger logger(**sink, clock, options.log.log);
  telemetry::Metrics metrics;
  const telemetry::ProcessMetrics process(metrics, std::string(kVersion));
  const config::Environment environment = config::ProcessEnvironment();

  const Result<std::unique_ptr<Farm>> farm =
      Farm::Start(options, {clock, logger, metrics, environment});
  if (!farm) return Refuse(farm.error());
  const Result<bool> ready = (*farm)->WaitUntilReady(signals, kReadyTimeout);
  if (!ready) return Refuse(ready.error());
  if (*ready) {
    const std::string page = (*farm)->server().page_url();
    logger.Log(telemetry::Level::kInfo, "farm_ready", {{"page", page}});
    if (presence) {
      if (const Status announced = presence->Announce(page); !announced)
        return Refuse(announced.error());
    }
    const std::optional<int> signal = (*farm)->WaitForEnd(signals);
    logger.Log(telemetry::Level::kInfo, "farm_ending", {{"reason", signal ? "signal" : "idle"}});
  }
  if (presence) presence->Withdraw();
  // The next signal ends it at once; but to a local farm they come from callers who wait for its
  // end.
  if (!presence) signals.Release();
  (*farm)->Stop();
  return 0;
}

config::Program MakeProgram(FarmOptions& options) {
  return {.version = std::string(kVersion),
          .command =
              {.name = "ptxfarm-serve",
               .summary = "a whole farm in one process: server, worker and store",
               .description = kDescription,
               .options = OptionGroups(options),
               .examples =
                   {{"ptxfarm serve --store ~/farm", "A farm for this machine, on 127.0.0.1:8980."},
                    {"ptxfarm serve --listen 0.0.0.0:8980 --tls-cert farm.pem --tls-key farm.key "
                     "--tokens tokens --worker-token-file own-token",
                     "A farm for a team."}},
               .run = [&options] { return Serve(options); }},
          .exit_statuses = {{kExitFailure, "The farm could not start; standard error says why."}}};
}

}  // namespace
}  // namespace ptxfarm::farm

int main(int argc, char** argv) {
  ptxfarm::farm::FarmOptions options;
  return ptxfarm::config::Run(ptxfarm::farm::MakeProgram(options), argc, argv);
}
