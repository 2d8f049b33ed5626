#include "server/metrics.h"

#include <cmath>

#include "rpc/policies.h"

namespace ptxfarm::server {
namespace {

using telemetry::Field;
using telemetry::Label;
using telemetry::Level;
using telemetry::MetricKind;
using telemetry::MetricRow;

constexpr rpc::Served kServed[] = {rpc::Served::kHit, rpc::Served::kMiss, rpc::Served::kJoined};
constexpr action::Outcome kOutcomes[] = {action::Outcome::kOk,
                                         action::Outcome::kInputError,
                                         action::Outcome::kResourceLimit,
                                         action::Outcome::kToolchainTooOld,
                                         action::Outcome::kCrashed,
                                         action::Outcome::kServiceLimit,
                                         action::Outcome::kCancelled,
                                         action::Outcome::kFault};
constexpr int kCodeMax = static_cast<int>(Code::kUnauthenticated);

struct OperationRow {
  StoreOperation operation;
  const char* name;
};
constexpr OperationRow kOperations[] = {
    {StoreOperation::kBlobGet, "blob_get"},
    {StoreOperation::kBlobPut, "blob_put"},
    {StoreOperation::kBlobOpen, "blob_open"},
    {StoreOperation::kBlobCreate, "blob_create"},
    {StoreOperation::kFindMissing, "find_missing"},
    {StoreOperation::kActionGet, "action_get"},
    {StoreOperation::kActionPut, "action_put"},
    {StoreOperation::kActionRemove, "action_remove"},
};

std::vector<std::string> CodeNames() {
  std::vector<std::string> names;
  for (int code = 0; code <= kCodeMax; ++code)
    names.emplace_back(CodeName(static_cast<Code>(code)));
  return names;
}

std::vector<std::string> MethodNames() {
  std::vector<std::string> names;
  for (const rpc::Policy& policy : rpc::Policies()) names.emplace_back(policy.method);
  return names;
}

std::vector<std::string> OutcomeNames() {
  std::vector<std::string> names;
  for (const action::Outcome outcome : kOutcomes) names.emplace_back(action::RowOf(outcome).name);
  return names;
}

std::vector<std::string> OperationNames() {
  std::vector<std::string> names;
  for (const OperationRow& row : kOperations) names.emplace_back(row.name);
  return names;
}

// From 10 µs, for what memory answers, to 10 s, for a disk that stalls.
std::vector<double> StoreBuckets() {
  return {1e-5, 2.5e-5, 1e-4, 2.5e-4, 1e-3, 2.5e-3, 1e-2, 2.5e-2, 0.1, 0.25, 1, 10};
}

const char* NameOf(StoreOperation operation) {
  for (const OperationRow& row : kOperations)
    if (row.operation == operation) return row.name;
  return "unknown";
}

const char* NameOf(http_cache::Layout layout) {
  switch (layout) {
    case http_cache::Layout::kBlob: return "blob";
    case http_cache::Layout::kClaim: return "claim";
  }
  return "unknown";
}

const char* NameOf(http_cache::Operation operation) {
  switch (operation) {
    case http_cache::Operation::kGet: return "get";
    case http_cache::Operation::kHead: return "head";
    case http_cache::Operation::kPut: return "put";
    case http_cache::Operation::kDelete: return "delete";
  }
  return "unknown";
}

const char* NameOf(http_cache::Outcome outcome) {
  switch (outcome) {
    case http_cache::Outcome::kOk: return "ok";
    case http_cache::Outcome::kAbsent: return "absent";
    case http_cache::Outcome::kRefused: return "refused";
    case http_cache::Outcome::kFailed: return "failed";
  }
  return "unknown";
}

telemetry::TraceContext TraceOf(const std::string& traceparent) {
  const Result<telemetry::TraceContext> trace = telemetry::ParseTraceparent(traceparent);
  return trace.value_or(telemetry::TraceContext{});
}

}  // namespace

std::span<const MetricRow> ServerMetricRows() {
  const Label served{"served", {"hit", "miss", "joined"}};
  // clang-format off
  static const std::vector<MetricRow> kRows = {
      {"ptxfarm_server_requests_total",            MetricKind::kCounter,   "Compile calls by how they ended.",                             {{"code", CodeNames()}}},
      {"ptxfarm_server_targets_total",             MetricKind::kCounter,   "Targets answered, by outcome and by where the answer came from.", {{"outcome", OutcomeNames()}, served}},
      {"ptxfarm_server_target_duration_seconds",   MetricKind::kHistogram, "From receipt of the request to a target's result.",            {served}, telemetry::SecondsBuckets()},
      {"ptxfarm_server_hit_ratio",                 MetricKind::kGauge,     "Hits of all targets that an action was made for, since the start."},
      {"ptxfarm_server_queue_actions",             MetricKind::kGauge,     "Actions in the queue.",                                        {{"state", {"waiting", "running"}}}},
      {"ptxfarm_server_modules_total",             MetricKind::kCounter,   "Modules read and verified, once each while they are remembered. What is refused reaches no worker.", {{"verdict", {"accepted", "refused"}}}},
      {"ptxfarm_server_module_duration_seconds",   MetricKind::kHistogram, "Reading and verifying a module.",                               {}, telemetry::SecondsBuckets()},
      {"ptxfarm_server_queue_wait_seconds",        MetricKind::kHistogram, "From queueing an action to its start on a worker.",            {}, telemetry::SecondsBuckets()},
      {"ptxfarm_server_compile_duration_seconds",  MetricKind::kHistogram, "Time of an action on its worker.",                             {{"backend"}, {"target"}}, telemetry::SecondsBuckets()},
      {"ptxfarm_server_workers",                   MetricKind::kGauge,     "Workers connected."},
      {"ptxfarm_server_worker_slots",              MetricKind::kGauge,     "Slots of the workers connected."},
      {"ptxfarm_server_source_bytes_total",        MetricKind::kCounter,   "Bytes of modules taken in Compile calls."},
      {"ptxfarm_server_output_bytes_total",        MetricKind::kCounter,   "Bytes of outputs, as stored, sent in Compile calls."},
      {"ptxfarm_server_source_bytes_held",         MetricKind::kGauge,     "Bytes of modules held by calls under way."},
      {"ptxfarm_server_rpc_duration_seconds",      MetricKind::kHistogram, "Time of RPCs, streams from first to last message.",            {{"method", MethodNames()}, {"result", {"ok", "failed"}}}, telemetry::SecondsBuckets()},
      {"ptxfarm_server_http_cache_requests_total", MetricKind::kCounter,   "Requests to the HTTP cache that were admitted; a claim is what /ac and /ccache keep.", {{"layout", {"blob", "claim"}}, {"operation", {"get", "head", "put", "delete"}}, {"result", {"ok", "absent", "refused", "failed"}}}},
      {"ptxfarm_server_http_cache_read_bytes_total",    MetricKind::kCounter, "Bytes of values read from the HTTP cache."},
      {"ptxfarm_server_http_cache_written_bytes_total", MetricKind::kCounter, "Bytes of values put into the HTTP cache."},
      {"ptxfarm_store_operation_duration_seconds", MetricKind::kHistogram, "Time of the store's operations.",                              {{"operation", OperationNames()}, {"result", {"ok", "failed"}}}, StoreBuckets()},
      {"ptxfarm_store_read_bytes_total",           MetricKind::kCounter,   "Bytes of blobs, as stored, read."},
      {"ptxfarm_store_written_bytes_total",        MetricKind::kCounter,   "Bytes of blobs, as stored, written."},
      {"ptxfarm_store_errors_total",               MetricKind::kCounter,   "Operations that failed for another reason than that there was nothing."},
      {"ptxfarm_store_blobs",                      MetricKind::kGauge,     "Blobs kept."},
      {"ptxfarm_store_actions",                    MetricKind::kGauge,     "Action results kept."},
      {"ptxfarm_store_bytes",                      MetricKind::kGauge,     "Bytes kept, as stored."},
      {"ptxfarm_store_bytes_max",                  MetricKind::kGauge,     "Cap on bytes kept; 0 for none."},
      {"ptxfarm_store_disk_bytes",                 MetricKind::kGauge,     "Bytes of the database's files."},
      {"ptxfarm_store_memory_bytes",               MetricKind::kGauge,     "Bytes in the memory tier."},
      {"ptxfarm_store_evicted_blobs_total",        MetricKind::kCounter,   "Blobs removed for size or age."},
      {"ptxfarm_store_quarantined_total",          MetricKind::kCounter,   "Blobs and records found damaged and set aside."},
      {"ptxfarm_store_writable",                   MetricKind::kGauge,     "1 while the store takes writes; 0 while its disk is full or failing."},
  };
  // clang-format on
  return kRows;
}

ServerMetrics::ServerMetrics(telemetry::Metrics& metrics, telemetry::Logger& logger)
    : metrics_(metrics), logger_(logger) {
  metrics_.Register(ServerMetricRows());
  for (const std::string& method : MethodNames())
    for (const bool ok : {true, false})
      rpcs_.emplace(std::pair(method, ok),
                    metrics_.GetHistogram("ptxfarm_server_rpc_duration_seconds",
                                          {method, ok ? "ok" : "failed"}));
  for (int code = 0; code <= kCodeMax; ++code)
    calls_.emplace(
        static_cast<Code>(code),
        metrics_.GetCounter("ptxfarm_server_requests_total", {CodeName(static_cast<Code>(code))}));
  for (const rpc::Served served : kServed) {
    target_seconds_.emplace(served, metrics_.GetHistogram("ptxfarm_server_target_duration_seconds",
                                                          {rpc::NameOf(served)}));
    for (const action::Outcome outcome : kOutcomes)
      targets_.emplace(std::pair(outcome, served),
                       metrics_.GetCounter("ptxfarm_server_targets_total",
                                           {action::RowOf(outcome).name, rpc::NameOf(served)}));
  }
  for (const OperationRow& row : kOperations)
    for (const bool ok : {true, false})
      store_seconds_.emplace(std::pair(row.operation, ok),
                             metrics_.GetHistogram("ptxfarm_store_operation_duration_seconds",
                                                   {row.name, ok ? "ok" : "failed"}));
  for (const bool is_accepted : {true, false})
    modules_.emplace(is_accepted, metrics_.GetCounter("ptxfarm_server_modules_total",
                                                      {is_accepted ? "accepted" : "refused"}));
  read_ = metrics_.GetHistogram("ptxfarm_server_module_duration_seconds");
  waited_ = metrics_.GetHistogram("ptxfarm_server_queue_wait_seconds");
  bytes_in_ = metrics_.GetCounter("ptxfarm_server_source_bytes_total");
  bytes_out_ = metrics_.GetCounter("ptxfarm_server_output_bytes_total");
  store_bytes_read_ = metrics_.GetCounter("ptxfarm_store_read_bytes_total");
  store_bytes_written_ = metrics_.GetCounter("ptxfarm_store_written_bytes_total");
  store_errors_ = metrics_.GetCounter("ptxfarm_store_errors_total");
  http_bytes_read_ = metrics_.GetCounter("ptxfarm_server_http_cache_read_bytes_total");
  http_bytes_written_ = metrics_.GetCounter("ptxfarm_server_http_cache_written_bytes_total");
}

void ServerMetrics::Watch(Core& core) {
  collector_ = metrics_.OnCollect([this, &core] { ReadGauges(core); });
}

void ServerMetrics::ReadGauges(Core& core) {
  const auto set = [&](std::string_view name, auto value) {
    metrics_.GetGauge(name).Set(static_cast<double>(value));
  };
  const QueueCounts counts = core.queue.Counts();
  metrics_.GetGauge("ptxfarm_server_queue_actions", {"waiting"})
      .Set(static_cast<double>(counts.waiting));
  metrics_.GetGauge("ptxfarm_server_queue_actions", {"running"})
      .Set(static_cast<double>(counts.running));
  set("ptxfarm_server_workers", counts.workers);
  set("ptxfarm_server_worker_slots", counts.slots);
  set("ptxfarm_server_source_bytes_held", core.source_bytes_held.load());
  const double asked = static_cast<double>(core.hits + core.misses + core.joined);
  set("ptxfarm_server_hit_ratio", asked == 0 ? 0.0 : static_cast<double>(core.hits) / asked);
  const StoreFigures figures = core.store.Figures();
  set("ptxfarm_store_blobs", figures.blobs);
  set("ptxfarm_store_actions", figures.actions);
  set("ptxfarm_store_bytes", figures.blob_bytes + figures.action_bytes);
  set("ptxfarm_store_bytes_max", figures.bytes_max);
  set("ptxfarm_store_disk_bytes", figures.disk_bytes);
  set("ptxfarm_store_memory_bytes", figures.memory_bytes);
  set("ptxfarm_store_writable", figures.writable ? 1 : 0);
  metrics_.GetCounter("ptxfarm_store_evicted_blobs_total")
      .RaiseTo(static_cast<double>(figures.evicted_blobs));
  metrics_.GetCounter("ptxfarm_store_quarantined_total")
      .RaiseTo(static_cast<double>(figures.quarantined));
}

void ServerMetrics::OnRpc(std::string_view method, Code code, std::chrono::nanoseconds duration) {
  const auto series = rpcs_.find(std::pair(std::string(method), code == Code::kOk));
  if (series != rpcs_.end()) series->second.Observe(duration);
}

void ServerMetrics::OnHttpCache(const http_cache::Event& event) {
  metrics_
      .GetCounter("ptxfarm_server_http_cache_requests_total",
                  {NameOf(event.layout), NameOf(event.operation), NameOf(event.outcome)})
      .Add();
  const bool is_put = event.operation == http_cache::Operation::kPut;
  (is_put ? http_bytes_written_ : http_bytes_read_).Add(event.bytes);
}

void ServerMetrics::OnTarget(const rpc::TargetResult& result, const Caller& caller) {
  targets_.at({result.result.outcome, result.served}).Add();
  target_seconds_.at(result.served).Observe(result.elapsed);
  // A hit is what the farm is for, and nothing that an operator acts on.
  const bool is_news =
      result.served != rpc::Served::kHit || result.result.outcome != action::Outcome::kOk;
  const Level level = is_news ? Level::kInfo : Level::kDebug;
  if (!logger_.IsOn(level)) return;
  logger_.Log(
      level, "target_finished", TraceOf(caller.traceparent),
      {{"action", result.action_sha256 ? HexOf(*result.action_sha256) : std::string("none")},
       {"target", result.target},
       {"outcome", action::RowOf(result.result.outcome).name},
       {"served", rpc::NameOf(result.served)},
       {"tenant", caller.tenant},
       {"duration_ms", result.elapsed}});
}

void ServerMetrics::OnRead(bool is_accepted, std::chrono::microseconds duration) {
  modules_.at(is_accepted).Add();
  read_.Observe(duration);
}

void ServerMetrics::OnWaited(std::chrono::microseconds waited) { waited_.Observe(waited); }

void ServerMetrics::OnCallEnd(const CallSummary& summary, const Caller& caller) {
  calls_.at(summary.code).Add();
  bytes_in_.Add(summary.source_bytes);
  bytes_out_.Add(summary.output_bytes);
  const Level level = summary.code == Code::kOk ? Level::kDebug : Level::kInfo;
  if (!logger_.IsOn(level)) return;
  logger_.Log(level, "compile_finished", TraceOf(caller.traceparent),
              {{"code", CodeName(summary.code)},
               {"source", summary.source},
               {"source_bytes", summary.source_bytes},
               {"tenant", caller.tenant},
               {"duration_ms", summary.elapsed}});
}

void ServerMetrics::OnActionFinished(const Task& task, const action::ActionResult& result,
                                     const Status& stored) {
  const std::string target = task.action.target.empty() ? "fatbin" : task.action.target;
  metrics_
      .GetHistogram("ptxfarm_server_compile_duration_seconds",
                    {task.action.compiler.backend, target})
      .Observe(result.execution.wall_time);
  if (!stored)
    logger_.Log(
        Level::kWarning, "result_not_stored",
        {{"action", HexOf(task.digest)}, {"target", target}, {"error", stored.error().ToString()}});
  logger_.Log(Level::kInfo, "action_finished", TraceOf(task.traceparent),
              {{"action", HexOf(task.digest)},
               {"kind", action::NameOf(task.action.kind)},
               {"target", target},
               {"outcome", action::RowOf(result.outcome).name},
               {"compiler", action::NameOf(task.action.compiler)},
               {"worker", result.execution.worker},
               {"duration_ms", result.execution.wall_time}});
}

void ServerMetrics::Observe(const StoreObservation& observation) {
  const bool ok = observation.code == Code::kOk || observation.code == Code::kNotFound;
  store_seconds_.at({observation.operation, ok}).Observe(observation.duration);
  switch (observation.operation) {
    case StoreOperation::kBlobGet:
    case StoreOperation::kBlobOpen: store_bytes_read_.Add(observation.bytes); break;
    case StoreOperation::kBlobPut:
    case StoreOperation::kBlobCreate: store_bytes_written_.Add(observation.bytes); break;
    case StoreOperation::kFindMissing:
    case StoreOperation::kActionGet:
    case StoreOperation::kActionPut:
    case StoreOperation::kActionRemove: break;
  }
  if (ok) return;
  store_errors_.Add();
  logger_.Log(Level::kWarning, "store_failed",
              {{"operation", NameOf(observation.operation)}, {"code", CodeName(observation.code)}});
}

void ServerMetrics::Isolated(const Sha256& sha256, std::string_view why) {
  logger_.Log(Level::kError, "store_damage", {{"digest", HexOf(sha256)}, {"why", why}});
}

void ServerMetrics::Warned(std::string_view line) {
  logger_.Log(Level::kWarning, "store_warned", {{"line", line}});
}

}  // namespace ptxfarm::server
