#include "client/commands/status_command.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/ranges.h>

#include "action/compiler.h"
#include "client/report/figures.h"
#include "client/report/json.h"
#include "client/report/table.h"
#include "toolchain/target/target.h"

namespace ptxfarm::client {
namespace {

// All that a farm says of itself. What only administrators may know is missing for others.
struct FarmStatus {
  std::string server;
  std::optional<local::FarmRecord> local;  // Where it is this user's own.
  Capabilities capabilities;
  std::optional<std::vector<WorkerStatus>> workers;
  std::optional<QueueStatus> queue;
  std::optional<StoreStatus> store;
};

// Nothing where no local farm runs: asking must not start one.
Result<std::optional<FarmStatus>> AskFarm(const Session& session) {
  FarmStatus status;
  if (session.uses_local_farm()) {
    PTXFARM_ASSIGN_OR_RETURN(const local::FarmFiles files,
                             local::MakeFarmFiles(local::FoldersOfUser()));
    status.local = local::FindFarm(files);
    if (!status.local) return std::optional<FarmStatus>();
  }
  PTXFARM_ASSIGN_OR_RETURN(const Client farm, session.Connect(nullptr));
  status.server = farm.server();
  PTXFARM_ASSIGN_OR_RETURN(status.capabilities, farm.GetCapabilities());
  Result<std::vector<WorkerStatus>> workers = farm.ListWorkers();
  if (!workers && workers.error().code == Code::kPermissionDenied)
    return std::optional(std::move(status));
  if (!workers) return std::move(workers).error();
  status.workers = *std::move(workers);
  PTXFARM_ASSIGN_OR_RETURN(status.queue, farm.GetQueue());
  PTXFARM_ASSIGN_OR_RETURN(status.store, farm.GetStore());
  return std::optional(std::move(status));
}

std::string CompilerNames(const std::vector<action::Compiler>& compilers) {
  std::vector<std::string> names;
  for (const action::Compiler& compiler : compilers)
    names.push_back(action::NameOf(compiler.identity));
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string RenderWorkers(const std::vector<WorkerStatus>& workers, bool color) {
  using enum Table::Align;
  Table table({{"worker", kLeft},
               {"state", kLeft},
               {"slots", kRight},
               {"busy", kRight},
               {"done", kRight},
               {"connected", kRight},
               {"compilers", kLeft}});
  for (const WorkerStatus& worker : workers)
    table.Add({Printable(worker.worker.name),
               worker.draining ? Table::Cell("draining", Style::kYellow)
                               : Table::Cell("ready", Style::kGreen),
               std::to_string(worker.worker.slots), std::to_string(worker.slots_busy),
               std::to_string(worker.actions_finished), FormatTime(worker.connected),
               Printable(CompilerNames(worker.worker.compilers))});
  return table.Render(color);
}

std::string RenderQueue(const QueueStatus& queue, bool color) {
  const u64 asked = queue.hits + queue.misses + queue.joined;
  std::string out =
      fmt::format("queue     {} running, {} waiting\n", queue.running_count, queue.waiting_count);
  out += fmt::format("results   {} hits, {} misses, {} joined", queue.hits, queue.misses,
                     queue.joined);
  if (asked > 0)
    out += fmt::format(
        " ({:.1f} % not compiled)",
        100.0 * static_cast<double>(queue.hits + queue.joined) / static_cast<double>(asked));
  out += '\n';
  if (queue.running.empty()) return out;
  using enum Table::Align;
  Table table({{"running", kLeft},
               {"target", kLeft},
               {"for", kRight},
               {"waiters", kRight},
               {"worker", kLeft}});
  constexpr std::size_t kShownMax = 20;
  for (std::size_t i = 0; i < std::min(queue.running.size(), kShownMax); ++i) {
    const rpc::QueuedAction& action = queue.running[i];
    table.Add({HexOf(action.action_sha256).substr(0, 12), action.target, FormatTime(action.age),
               std::to_string(action.waiters), Printable(action.worker)});
  }
  return out + '\n' + table.Render(color);
}

std::string RenderStore(const StoreStatus& store) {
  std::string out =
      fmt::format("store     {} of {}, {} blobs, {} results", FormatSize(store.stored_bytes),
                  store.stored_bytes_max == 0 ? "any size" : FormatSize(store.stored_bytes_max),
                  store.blobs, store.actions);
  if (store.evicted_blobs > 0) out += fmt::format(", {} evicted", store.evicted_blobs);
  if (store.quarantined_blobs > 0) out += fmt::format(", {} damaged", store.quarantined_blobs);
  return out +
         fmt::format("\n          {}\n", store.path.empty() ? "in memory" : Printable(store.path));
}

std::string Render(const FarmStatus& status, bool color) {
  std::string out = fmt::format("farm      {}, version {}\n", status.server,
                                Printable(status.capabilities.server_version));
  if (status.local) {
    out += fmt::format("process   {}\n", status.local->process);
    if (!status.local->page.empty())
      out += fmt::format("page      {}/metrics\n", Printable(status.local->page));
  }
  out += fmt::format("workers   {} with {} slots; compilers: {}\n", status.capabilities.workers,
                     status.capabilities.worker_slots,
                     Printable(CompilerNames(status.capabilities.compilers)));
  if (!status.capabilities.remembered_compilers.empty())
    out += fmt::format("          no worker any more has {}\n",
                       Printable(CompilerNames(status.capabilities.remembered_compilers)));
  if (status.queue) out += RenderQueue(*status.queue, color);
  if (status.store) out += RenderStore(*status.store);
  if (status.workers && !status.workers->empty())
    out += '\n' + RenderWorkers(*status.workers, color);
  return out;
}

Json ToJson(const action::Compiler& compiler) {
  Json json = client::ToJson(compiler.identity);
  json["ptx_version_max"] =
      fmt::format("{}.{}", compiler.ptx_version_max.major, compiler.ptx_version_max.minor);
  json["targets"] = compiler.targets;
  return json;
}

Json CompilersToJson(const std::vector<action::Compiler>& compilers) {
  Json json = Json::array();
  for (const action::Compiler& compiler : compilers) json.push_back(ToJson(compiler));
  return json;
}

Json ToJson(const WorkerStatus& worker) {
  return {{"id", worker.worker.id},
          {"name", worker.worker.name},
          {"version", worker.worker.version},
          {"slots", worker.worker.slots},
          {"slots_busy", worker.slots_busy},
          {"memory_bytes", worker.worker.memory_bytes},
          {"draining", worker.draining},
          {"connected_ms", worker.connected.count()},
          {"actions_finished", worker.actions_finished},
          {"compilers", CompilersToJson(worker.worker.compilers)}};
}

Json ToJson(const rpc::QueuedAction& action) {
  return {{"action_sha256", HexOf(action.action_sha256)},
          {"target", action.target},
          {"tenant", action.tenant},
          {"priority", action.priority},
          {"age_ms", action.age.count()},
          {"waiters", action.waiters},
          {"attempts", action.attempts},
          {"worker", action.worker}};
}

Json ToJson(const QueueStatus& queue) {
  Json waiting = Json::array(), running = Json::array();
  for (const rpc::QueuedAction& action : queue.waiting) waiting.push_back(ToJson(action));
  for (const rpc::QueuedAction& action : queue.running) running.push_back(ToJson(action));
  return {{"waiting_count", queue.waiting_count},
          {"running_count", queue.running_count},
          {"hits", queue.hits},
          {"misses", queue.misses},
          {"joined", queue.joined},
          {"waiting", std::move(waiting)},
          {"running", std::move(running)}};
}

Json ToJson(const StoreStatus& store) {
  return {{"blobs", store.blobs},
          {"actions", store.actions},
          {"stored_bytes", store.stored_bytes},
          {"stored_bytes_max", store.stored_bytes_max},
          {"evicted_blobs", store.evicted_blobs},
          {"quarantined_blobs", store.quarantined_blobs},
          {"format_version", store.format_version},
          {"path", store.path}};
}

Json StatusDocument(const std::optional<FarmStatus>& status) {
  Json document = Document("status");
  document["running"] = status.has_value();
  if (!status) return document;
  document["server"] = status->server;
  document["server_version"] = status->capabilities.server_version;
  if (status->local) {
    document["process"] = status->local->process;
    document["page"] = status->local->page;
  }
  document["worker_count"] = status->capabilities.workers;
  document["worker_slots"] = status->capabilities.worker_slots;
  document["compilers"] = CompilersToJson(status->capabilities.compilers);
  document["remembered_compilers"] = CompilersToJson(status->capabilities.remembered_compilers);
  if (status->queue) document["queue"] = ToJson(*status->queue);
  if (status->store) document["store"] = ToJson(*status->store);
  if (status->workers) {
    Json workers = Json::array();
    for (const WorkerStatus& worker : *status->workers) workers.push_back(ToJson(worker));
    document["workers"] = std::move(workers);
  }
  return document;
}

ExitCode ShowStatus(const Session& session) {
  const Result<std::optional<FarmStatus>> status = AskFarm(session);
  if (!status) return session.Fail("status", status.error(), ExitCodeOfCall(status.error()));
  if (session.options().json) return session.Print(Print(StatusDocument(*status)));
  if (!*status)
    return session.Print(
        "no server is configured, and no local farm is running; the next 'ptxfarm compile' starts "
        "one\n");
  return session.Print(Render(**status, session.out().color));
}

// ---- targets

// Which compilers make a target, newest first.
std::map<std::string, std::vector<std::string>> CompilersByTarget(
    const Capabilities& capabilities) {
  std::vector<action::Compiler> compilers = capabilities.compilers;
  std::ranges::stable_sort(compilers, [](const action::Compiler& a, const action::Compiler& b) {
    return action::VersionLess(b.identity.version, a.identity.version);
  });
  std::map<std::string, std::vector<std::string>> by_target;
  for (const action::Compiler& compiler : compilers)
    for (const std::string& target : compiler.targets)
      by_target[target].push_back(action::NameOf(compiler.identity));
  return by_target;
}

struct TargetLine {
  Target target;
  std::vector<std::string> compilers;  // Empty for what no compiler here makes.
};

std::vector<TargetLine> TargetLines(const Capabilities& capabilities) {
  const std::map<std::string, std::vector<std::string>> by_target = CompilersByTarget(capabilities);
  std::vector<TargetLine> lines;
  for (const Target& target : AllTargets()) {
    const auto found = by_target.find(target.ToString());
    if (found != by_target.end())
      lines.push_back({target, found->second});
    else if (target.status() == TargetStatus::kCurrent)
      lines.push_back({target, {}});
  }
  return lines;
}

ExitCode ShowTargets(const Session& session) {
  const Result<Client> farm =
      session.Connect([&](const std::string& what) { session.PrintNote(what); });
  if (!farm) return session.Fail("targets", farm.error(), ExitCodeOfCall(farm.error()));
  const Result<Capabilities> capabilities = farm->GetCapabilities();
  if (!capabilities)
    return session.Fail("targets", capabilities.error(), ExitCodeOfCall(capabilities.error()));
  const std::vector<TargetLine> lines = TargetLines(*capabilities);
  if (session.options().json) {
    Json document = Document("targets");
    document["targets"] = Json::array();
    for (const TargetLine& line : lines)
      document["targets"].push_back(
          {{"target", line.target.ToString()},
           {"ptx_version_min", line.target.ptx_version_min().ToString()},
           {"ptx_member", line.target.As(TargetKind::kVirtual).ToString()},
           {"compilers", line.compilers}});
    return session.Print(Print(document));
  }
  using enum Table::Align;
  Table table(
      {{"target", kLeft}, {"since PTX", kRight}, {"PTX member", kLeft}, {"compilers", kLeft}});
  for (const TargetLine& line : lines)
    table.Add({line.target.ToString(), line.target.ptx_version_min().ToString(),
               line.target.As(TargetKind::kVirtual).ToString(),
               line.compilers.empty()
                   ? Table::Cell("none here", Style::kDim)
                   : Table::Cell(Printable(fmt::format("{}", fmt::join(line.compilers, ", "))))});
  return session.Print(table.Render(session.out().color));
}

}  // namespace

config::Command StatusCommand(const CliOptions& cli) {
  config::Command command{
      .name = "status",
      .summary = "shows the farm: workers, queue, store",
      .description =
          "Asks the server that is configured, or the local farm, where it runs. Never starts one. "
          "What needs a "
          "token with the role admin is left out where there is none.",
  };
  command.run = [&cli] { return static_cast<int>(ShowStatus(Session(cli))); };
  return command;
}

config::Command TargetsCommand(const CliOptions& cli) {
  config::Command command{
      .name = "targets",
      .summary = "lists what can be compiled for",
      .description =
          "Each target of today with the PTX version that a module must have to name it, and the "
          "farm's compilers "
          "that make it. A PTX member needs no compiler.",
  };
  command.run = [&cli] { return static_cast<int>(ShowTargets(Session(cli))); };
  return command;
}

}  // namespace ptxfarm::client
