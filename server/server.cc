#include "server/server.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "base/version.h"
#include "rpc/policies.h"
#include "server/admin_service.h"
#include "server/authenticator.h"
#include "server/blob_service.h"
#include "server/compile_service.h"
#include "server/core.h"
#include "server/http_port.h"
#include "server/listeners.h"
#include "server/metrics.h"
#include "server/rpc_timer.h"
#include "server/status_sections.h"
#include "server/worker_service.h"
#include "store/stores.h"
#include "telemetry/http_server.h"
#include "telemetry/status_page.h"

namespace ptxfarm::server {
namespace {

using telemetry::Level;

// For the answers that are on their way when the last action has ended.
constexpr std::chrono::milliseconds kLastAnswers{2'000};

std::size_t ThreadsOf(const ServerOptions& options) {
  if (options.threads != 0) return options.threads;
  return std::size_t{2} * std::max(2u, std::thread::hardware_concurrency());
}

StoreOptions StoreOptionsOf(const ServerOptions& options) {
  return {.path = options.store,
          .bytes_max = options.store_bytes_max,
          .age_max = options.store_age_max,
          .memory_bytes_max = options.store_memory_bytes_max,
          .cache_bytes = options.store_cache_bytes_max,
          .sync_actions = options.store_sync};
}

CoreOptions CoreOptionsOf(const ServerOptions& options) {
  return {.source_bytes_max = options.source_bytes_max,
          .source_bytes_held_max = options.source_bytes_held_max,
          .limits = {.wall_time = options.compile_time_max,
                     .memory_bytes = options.compile_memory_bytes_max,
                     .output_bytes = options.output_bytes_max},
          .verifies = options.verifies};
}

QueueOptions QueueOptionsOf(const ServerOptions& options) {
  return {
      .waiting_max = options.waiting_max,
      .lease_time = options.lease,
      .reconnect_time = std::min<std::chrono::milliseconds>(options.lease, std::chrono::seconds(3)),
      .no_worker_time = options.no_worker_timeout};
}

// Both switch something on for builders that come later, in the whole process.
void InitializeGrpc() {
  static const bool done = [] {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    return true;
  }();
  (void)done;
}

}  // namespace

struct Server::State {
  State(const ServerOptions& the_options, const Clock& the_clock, telemetry::Logger& the_logger,
        telemetry::Metrics& the_metrics)
      : options(the_options),
        clock(the_clock),
        logger(the_logger),
        registry(the_metrics),
        metrics(the_metrics, the_logger),
        started(the_clock.Now()) {}

  Status OpenCore();
  Status StartGrpc();
  Status StartHttp();
  void BeginDrain();
  void TickLoop();
  bool Quiet() const { return core->queue.Idle() && core->calls == 0; }
  telemetry::StatusPage Page() const;

  const ServerOptions options;
  const Clock& clock;
  telemetry::Logger& logger;
  telemetry::Metrics& registry;
  ServerMetrics metrics;
  const TimePoint started;
  Authenticator authenticator;
  std::unique_ptr<Store> store;
  std::unique_ptr<Core> core;
  std::unique_ptr<CompileService> compile_service;
  std::unique_ptr<BlobService> blob_service;
  std::unique_ptr<WorkerService> worker_service;
  std::unique_ptr<AdminService> admin_service;
  std::unique_ptr<Listeners> listeners;
  std::unique_ptr<grpc::Server> grpc;
  std::unique_ptr<telemetry::HttpServer> http;
  std::vector<std::string> addresses;
  std::atomic<bool> draining = false;

  std::mutex mutex;
  std::condition_variable changed;
  bool stopped = false;  // Under mutex, as the thread below reads it.
  std::thread ticker;
};

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, const Clock& clock,
                                              telemetry::Logger& logger,
                                              telemetry::Metrics& metrics) {
  auto state = std::make_unique<State>(options, clock, logger, metrics);
  State& s = *state;
  // From here on an early return stops what has been started: the destructor knows what there is.
  std::unique_ptr<Server> server(new Server(std::move(state)));
  PTXFARM_RETURN_IF_ERROR(s.OpenCore());
  PTXFARM_RETURN_IF_ERROR(s.StartGrpc());
  PTXFARM_RETURN_IF_ERROR(s.StartHttp());
  s.ticker = std::thread([&s] { s.TickLoop(); });
  for (const std::string& address : s.addresses)
    logger.Log(Level::kInfo, "server_listening", {{"address", address}});
  if (s.http != nullptr) logger.Log(Level::kInfo, "page_listening", {{"url", s.http->Url()}});
  return server;
}

Status Server::State::OpenCore() {
  if (!options.tokens.empty()) {
    PTXFARM_ASSIGN_OR_RETURN(authenticator, Authenticator::Read(options.tokens));
  }
  PTXFARM_ASSIGN_OR_RETURN(store, OpenStore(StoreOptionsOf(options), clock, &metrics));
  core = std::make_unique<Core>(clock, *store, CoreOptionsOf(options), QueueOptionsOf(options),
                                ThreadsOf(options), metrics);
  metrics.Watch(*core);
  return Ok{};
}

Status Server::State::StartGrpc() {
  InitializeGrpc();
  compile_service = std::make_unique<CompileService>(*core, authenticator);
  blob_service = std::make_unique<BlobService>(*core, authenticator);
  worker_service = std::make_unique<WorkerService>(*core, authenticator);
  admin_service =
      std::make_unique<AdminService>(*core, authenticator, options.store, [this] { BeginDrain(); });
  grpc::ServerBuilder builder;
  PTXFARM_ASSIGN_OR_RETURN(listeners, Listeners::Add(options, builder));
  builder.SetMaxReceiveMessageSize(rpc::kMessageBytesMax);
  builder.SetMaxSendMessageSize(rpc::kMessageBytesMax);
  // As often as our clients ping (rpc/channel.cc), with room for clocks that differ.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  grpc::ResourceQuota quota("ptxfarm-server");
  quota.Resize(options.memory_bytes_max);
  builder.SetResourceQuota(quota);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(MakeRpcTimer(metrics));
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  builder.RegisterService(compile_service.get());
  builder.RegisterService(blob_service.get());
  builder.RegisterService(worker_service.get());
  builder.RegisterService(admin_service.get());
  grpc = builder.BuildAndStart();
  PTXFARM_ASSIGN_OR_RETURN(addresses, listeners->Addresses());
  if (grpc == nullptr)
    return MakeError(Code::kUnavailable, "gRPC did not start; its own log says why");
  grpc->GetHealthCheckService()->SetServingStatus(true);
  return Ok{};
}

Status Server::State::StartHttp() {
  if (options.http.empty()) return Ok{};
  PTXFARM_ASSIGN_OR_RETURN(http, StartHttpPort({.options = options,
                                                .authenticator = authenticator,
                                                .core = *core,
                                                .metrics = metrics,
                                                .registry = registry,
                                                .is_ready = [this] { return !draining; },
                                                .page = [this] { return Page(); }}));
  return Ok{};
}

telemetry::StatusPage Server::State::Page() const {
  return {.title = "ptxfarm-server",
          .version = std::string(kVersion),
          .uptime = std::chrono::duration_cast<std::chrono::seconds>(clock.Now() - started),
          .is_ready = !draining,
          .not_ready_reason = draining ? "draining" : "",
          .sections = StatusSections(*core),
          .links = {{"/metrics", "metrics"}, {"/healthz", "health"}, {"/readyz", "readiness"}}};
}

void Server::State::BeginDrain() {
  if (draining.exchange(true)) return;
  core->queue.Drain();
  grpc->GetHealthCheckService()->SetServingStatus(false);
  logger.Log(Level::kInfo, "server_draining");
}

void Server::State::TickLoop() {
  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, std::chrono::milliseconds(250), [this] { return stopped; }))
    core->queue.Tick();
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}

Server::~Server() { Stop(std::chrono::milliseconds(0)); }

const std::vector<std::string>& Server::addresses() const { return state_->addresses; }
std::string Server::page_url() const { return state_->http != nullptr ? state_->http->Url() : ""; }
bool Server::draining() const { return state_->draining; }
bool Server::Idle() const { return state_->Quiet(); }
TimePoint Server::LastActive() const { return state_->core->call_ended_last; }

void Server::BeginDrain() { state_->BeginDrain(); }

void Server::Stop(std::chrono::milliseconds timeout) {
  State& s = *state_;
  {
    const std::lock_guard lock(s.mutex);
    if (std::exchange(s.stopped, true)) return;
  }
  if (s.grpc != nullptr) {
    BeginDrain();
    std::unique_lock lock(s.mutex);
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (!s.Quiet() && std::chrono::steady_clock::now() < deadline) {
      s.core->queue.Tick();
      s.changed.wait_for(lock, std::chrono::milliseconds(10));
    }
    lock.unlock();
    s.grpc->Shutdown(std::chrono::system_clock::now() +
                     (s.Quiet() ? std::chrono::milliseconds(0) : kLastAnswers));
  }
  s.changed.notify_all();
  if (s.ticker.joinable()) s.ticker.join();
  if (s.http != nullptr) s.http->Stop();
  s.grpc = nullptr;
  s.metrics.Unwatch();
  s.core = nullptr;
  if (s.store == nullptr) return;
  if (const Status closed = s.store->Close(); !closed)
    s.logger.Log(Level::kWarning, "store_close_failed", {{"error", closed.error().ToString()}});
  s.logger.Log(Level::kInfo, "server_stopped");
}

}  // namespace ptxfarm::server
