// `ptxfarm-worker`: does the work of one or more servers.
#include <fmt/format.h>

#include "base/version.h"
#include "config/run.h"
#include "service/end_signals.h"
#include "service/log_options.h"
#include "telemetry/http_server.h"
#include "telemetry/process_metrics.h"
#include "telemetry/standard_routes.h"
#include "worker/worker.h"

namespace ptxfarm::worker {
namespace {

constexpr int kExitFailure = 3;

constexpr char kDescription[] =
    "Comes to its servers and asks for work: PTX to compile with the CUDA toolkits of this "
    "machine, "
    "and fat binaries to make. Each compile runs in a process of its own, confined and bounded.\n\n"
    "Ends on SIGTERM or SIGINT: it takes no more work, finishes and hands over what it has. A "
    "second signal cancels that.";

// Where the page is when nobody said: the usual port, and any other where another worker has that.
constexpr std::string_view kHttpAuto = "auto";
constexpr const char* kHttpUsual = "127.0.0.1:8982";
constexpr const char* kHttpFree = "127.0.0.1:0";

struct ProgramOptions {
  WorkerOptions worker;
  service::LogOptions log;
  telemetry::HttpServerOptions http{.listen = std::string(kHttpAuto)};
};

config::OptionGroup HttpGroup(telemetry::HttpServerOptions& http) {
  return {
      .title = "Metrics and health",
      .table = "worker",
      .options = {
          {"http", "ADDRESS",
           "Serve /metrics, /healthz, /readyz and a page for people here; empty for nowhere. "
           "auto: on 127.0.0.1:8982, or on a free port where that is taken; the log says which.",
           config::Text(&http.listen)},
          {"http-tls-cert", "FILE",
           "PEM file with the certificate of that port; switches TLS on there.",
           config::File(&http.tls.certificate)},
          {"http-tls-key", "FILE", "PEM file with its key.", config::File(&http.tls.key)},
      }};
}

std::vector<telemetry::StatusSection> PageSections(const Worker& worker) {
  const LoopCounts counts = worker.Counts();
  telemetry::StatusSection compilers{.title = "Compilers",
                                     .columns = {"compiler", "PTX up to", "targets"}};
  for (const action::Compiler& compiler : worker.compilers())
    compilers.rows.push_back({NameOf(compiler.identity), compiler.ptx_version_max.ToString(),
                              fmt::format("{}", fmt::join(compiler.targets, " "))});
  return {{.title = "Work",
           .rows = {{"name", worker.name()},
                    {"servers connected",
                     fmt::format("{} of {}", counts.servers_connected, counts.servers)},
                    {"slots busy", fmt::format("{}", counts.leases_running)},
                    {"leases waiting", fmt::format("{}", counts.leases_waiting)},
                    {"results not yet accepted", fmt::format("{}", counts.leases_finished)}}},
          std::move(compilers)};
}

// Until a signal came and all is handed over, a second signal came, or the servers sent it away.
void WorkUntilTheEnd(Worker& worker, const Clock& clock, const service::EndSignals& signals,
                     telemetry::Logger& logger) {
  constexpr std::chrono::milliseconds kLook{100};
  bool draining = false;
  while (!worker.WaitUntilDone(clock.Now())) {
    const std::optional<int> signal = signals.Wait(kLook);
    if (!signal) continue;
    logger.Log(telemetry::Level::kInfo, "signal_received", {{"signal", *signal}});
    if (std::exchange(draining, true)) return;
    worker.Drain();
  }
}

int Fail(const Error& error) {
  fmt::print(stderr, "ptxfarm-worker: {}\n", error.message);
  return kExitFailure;
}

int Work(const ProgramOptions& options) {
  const service::EndSignals signals;
  const RealClock clock;
  Result<std::unique_ptr<telemetry::LogSink>> sink = service::OpenLog(options.log);
  if (!sink) return Fail(sink.error());
  telemetry::Logger logger(**sink, clock, options.log.log);
  telemetry::Metrics metrics;
  const telemetry::ProcessMetrics process(metrics, std::string(kVersion));
  const config::Environment environment = config::ProcessEnvironment();
  Result<std::unique_ptr<Worker>> worker = Worker::Start(
      options.worker,
      {.clock = clock, .logger = logger, .metrics = metrics, .environment = environment});
  if (!worker) return Fail(worker.error());

  std::unique_ptr<telemetry::HttpServer> http;
  if (!options.http.listen.empty()) {
    const auto serve = [&](const std::string& address) {
      telemetry::HttpServerOptions at = options.http;
      at.listen = address;
      return telemetry::HttpServer::Start(
          at, telemetry::MakeStandardRoutes({.program = "ptxfarm-worker",
                                             .version = std::string(kVersion),
                                             .metrics = metrics,
                                             .clock = clock,
                                             .ready = [&] { return (*worker)->Ready(); },
                                             .sections = [&] { return PageSections(**worker); }}));
    };
    const bool is_auto = options.http.listen == kHttpAuto;
    Result<std::unique_ptr<telemetry::HttpServer>> started =
        serve(is_auto ? kHttpUsual : options.http.listen);
    if (!started && is_auto) started = serve(kHttpFree);
    if (!started) return Fail(std::move(started).error().Wrap("--http {}", options.http.listen));
    http = *std::move(started);
    logger.Log(telemetry::Level::kInfo, "page_listening", {{"url", http->Url()}});
  }
  WorkUntilTheEnd(**worker, clock, signals, logger);
  // A third one, should the end take long.
  signals.Release();
  http.reset();
  return 0;
}

}  // namespace
}  // namespace ptxfarm::worker

int main(int argc, char** argv) {
  namespace worker = ptxfarm::worker;
  worker::ProgramOptions options;
  return ptxfarm::config::Run(
      {.version = std::string(ptxfarm::kVersion),
       .command = {.name = "ptxfarm-worker",
                   .summary = "compiles for the servers of a ptxfarm",
                   .description = worker::kDescription,
                   .options = {worker::WorkerServerGroup(options.worker),
                               worker::WorkerOptionGroup(options.worker),
                               worker::WorkerLimitGroup(options.worker),
                               worker::HttpGroup(options.http),
                               ptxfarm::service::LogGroup(options.log, "worker")},
                   .examples = {{"ptxfarm-worker --server unix:/run/ptxfarm/farm.sock",
                                 "A worker beside its server."},
                                {"ptxfarm-worker --server farm.example.com:8980 --tls "
                                 "--token-file token --confinement required",
                                 "A worker of a team's farm."}},
                   .run = [&] { return worker::Work(options); }},
       .exit_statuses = {{worker::kExitFailure,
                          "The worker could not start; standard error says why."}}},
      argc, argv);
}
