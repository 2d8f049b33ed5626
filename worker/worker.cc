#include "worker/worker.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <random>
#include <utility>

#include "base/version.h"
#include "worker/cancellation.h"
#include "worker/process.h"

namespace ptxfarm::worker {
namespace {

using telemetry::Level;

// Threads of one compile, with the helper: what a group of one slot may hold.
constexpr u64 kProcessesOfASlotMax = 128;

// ---- What the machine is

u64 MachineMemoryBytes() {
  return static_cast<u64>(::sysconf(_SC_PHYS_PAGES)) * static_cast<u64>(::sysconf(_SC_PAGESIZE));
}

std::string HostName() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string RandomId() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}", random(), random(), random());
}

rpc::WorkerDescription Describe(const WorkerOptions& options, const Workshop& workshop) {
  rpc::WorkerDescription description{.id = RandomId(),
                                     .name = options.name,
                                     .version = std::string(kVersion),
                                     .compilers = CompilersOf(workshop),
                                     .slots = options.slots,
                                     .memory_bytes = options.memory_bytes_max};
  if (description.name.empty()) description.name = fmt::format("{}-{}", HostName(), ::getpid());
  return description;
}

// ---- What it gives

Status CheckProtections(const WorkerOptions& options, telemetry::Logger& logger) {
  PTXFARM_ASSIGN_OR_RETURN(const std::vector<ProtectionStatus> rows,
                           ProbeConfinement(options.confine_helper));
  std::string missing;
  for (const ProtectionStatus& row : rows) {
    if (row.available) continue;
    logger.Log(Level::kWarning, "protection_missing",
               {{"protection", row.name}, {"why", row.why}, {"allows", row.stops}});
    missing += (missing.empty() ? "" : ", ") + row.name + " (" + row.why + ")";
  }
  if (!missing.empty() && options.confinement == Confinement::kRequired)
    return MakeError(Code::kFailedPrecondition,
                     "this machine doesn't give all protections that are required: {}; allow "
                     "--confinement=best-effort, or run where the kernel has them",
                     missing);
  if (options.confinement == Confinement::kOff) logger.Log(Level::kWarning, "confinement_off", {});
  return Ok{};
}

// Compiles the smallest of modules, confined as all will be: a toolkit that can't is of no use,
// whatever it says of itself.
Status TryOut(const Toolkit& toolkit, const PtxasSetting& setting, Scratch& scratch) {
  const PtxVersion version = toolkit.compiler.ptx_version_max;
  const action::Action action{.target = toolkit.compiler.targets.front(),
                              .compiler = toolkit.compiler.identity};
  const std::string text =
      fmt::format(".version {}.{}\n.target {}\n.address_size 64\n.visible .entry k() {{ ret; }}\n",
                  version.major, version.minor, action.target);
  PTXFARM_ASSIGN_OR_RETURN(const std::string folder, scratch.MakeFolder());
  const PtxasOutcome out = RunPtxas(setting,
                                    {.toolkit = toolkit,
                                     .action = action,
                                     .text = text,
                                     .limits = {.wall_time = std::chrono::minutes(1)},
                                     .scratch = folder},
                                    Cancellation());
  scratch.RemoveFolder(folder);
  if (out.result.outcome == action::Outcome::kOk) return Ok{};
  return MakeError(
      Code::kUnavailable, "a trial compile failed: {}",
      out.result.diagnostics.empty() ? "no reason given" : out.result.diagnostics.front().message);
}

ToolkitSearch SearchOf(const WorkerOptions& options, const WorkerWorld& world) {
  return {
      .named = options.cuda, .environment = world.environment, .helper = options.confine_helper};
}

Result<Workshop> SetUp(const WorkerOptions& options, const WorkerWorld& world, Scratch& scratch) {
  Workshop workshop{.ptxas = {.helper = options.confine_helper,
                              .confinement = options.confinement,
                              .read_paths = options.read_paths}};
  FoundToolkits found = FindToolkits(SearchOf(options, world));
  for (Toolkit& toolkit : found.toolkits) {
    if (const Status tried = TryOut(toolkit, workshop.ptxas, scratch); !tried) {
      found.skipped.push_back({toolkit.ptxas, tried.error().message});
      continue;
    }
    world.logger.Log(Level::kInfo, "toolkit_found",
                     {{"ptxas", toolkit.ptxas},
                      {"version", toolkit.compiler.identity.version},
                      {"sha256", HexOf(toolkit.compiler.identity.sha256)}});
    workshop.toolkits.push_back(std::move(toolkit));
  }
  for (const SkippedToolkit& skipped : found.skipped)
    world.logger.Log(Level::kWarning, "toolkit_skipped",
                     {{"path", skipped.path}, {"why", skipped.why}});
  if (!workshop.toolkits.empty()) return workshop;
  if (!options.cuda.empty())
    return MakeError(Code::kNotFound, "no toolkit that was named can be used: {}: {}",
                     found.skipped.front().path, found.skipped.front().why);
  world.logger.Log(Level::kWarning, "no_toolkit", {{"compiles", "fat binaries only"}});
  return workshop;
}

std::vector<std::unique_ptr<ControlGroup>> MakeGroups(const WorkerOptions& options,
                                                      telemetry::Logger& logger) {
  if (!options.control_groups) return {};
  const Result<GroupPlace> place = ReadGroupPlace();
  auto groups =
      place ? MakeControlGroups(*place, options.slots, kProcessesOfASlotMax) : place.error();
  if (groups) return *std::move(groups);
  logger.Log(Level::kInfo, "no_control_groups", {{"why", groups.error().message}});
  return {};
}

Result<WorkerOptions> Complete(WorkerOptions options) {
  if (options.servers.empty())
    return Error{Code::kInvalidArgument, "a worker needs a server to work for: name one"};
  // What is wrong with an address or a certificate is said now, not in an endless loop of tries.
  for (const std::string& server : options.servers) {
    rpc::ChannelOptions channel = options.channel;
    channel.address = server;
    PTXFARM_RETURN_IF_ERROR(rpc::Channel::Make(channel));
  }
  if (options.slots == 0) options.slots = std::max(1U, std::thread::hardware_concurrency());
  if (options.memory_bytes_max == 0) options.memory_bytes_max = MachineMemoryBytes();
  if (options.confine_helper.empty()) {
    PTXFARM_ASSIGN_OR_RETURN(options.confine_helper, FindConfineHelper());
  }
  return options;
}

}  // namespace

Result<std::unique_ptr<Worker>> Worker::Start(WorkerOptions asked, WorkerWorld world) {
  PTXFARM_ASSIGN_OR_RETURN(WorkerOptions options, Complete(std::move(asked)));
  // Who starts us may have ignored it, and then nobody could wait for a compiler.
  struct sigaction children {};
  if (::sigaction(SIGCHLD, nullptr, &children) == 0 && children.sa_handler == SIG_IGN)
    ::signal(SIGCHLD, SIG_DFL);
  PTXFARM_RETURN_IF_ERROR(CheckProtections(options, world.logger));
  PTXFARM_ASSIGN_OR_RETURN(Scratch scratch, Scratch::Make(options.scratch));
  ToolkitFiles toolkit_files = ToolkitStamps(SearchOf(options, world));
  PTXFARM_ASSIGN_OR_RETURN(Workshop workshop, SetUp(options, world, scratch));
  std::unique_ptr<Worker> worker(new Worker(std::move(options), world, std::move(scratch),
                                            std::move(workshop), std::move(toolkit_files)));
  worker->Connect();
  return worker;
}

Worker::Worker(WorkerOptions options, WorkerWorld world, Scratch scratch, Workshop workshop,
               ToolkitFiles toolkit_files)
    : options_(std::move(options)),
      world_(world),
      scratch_(std::move(scratch)),
      workshop_(std::move(workshop)),
      toolkit_files_(std::move(toolkit_files)),
      description_(Describe(options_, workshop_)),
      metrics_(world.metrics) {}

void Worker::Connect() {
  slots_ = std::make_unique<SlotPool>(
      options_.slots,
      LeaseSetting{.workshop = workshop_,
                   .scratch = scratch_,
                   .worker_name = description_.name,
                   .limits = {.wall_time = options_.compile_time_max,
                              .memory_bytes = options_.compile_memory_bytes_max,
                              .output_bytes = options_.output_bytes_max}},
      MakeGroups(options_, world_.logger), metrics_, world_.logger,
      [this](ServerIndex server) { return connections_[server]->Blobs(); });
  loop_ = std::make_unique<WorkerLoop>(
      description_, world_.clock, *slots_, world_.logger, [this] { Wake(); },
      std::random_device()());
  slots_->Bind(*loop_);
  for (const std::string& server : options_.servers) {
    rpc::ChannelOptions channel = options_.channel;
    channel.address = server;
    connections_.push_back(std::make_unique<ServerConnection>(std::move(channel)));
    connections_.back()->Bind(*loop_, loop_->AddServer(*connections_.back()));
  }
  collector_ = metrics_.Watch(*loop_, options_.slots);
  world_.logger.Log(Level::kInfo, "worker_started",
                    {{"worker", description_.name},
                     {"id", description_.id},
                     {"slots", options_.slots},
                     {"confinement", NameOf(options_.confinement)}});
  thread_ = std::thread([this] { Run(); });
}

Worker::~Worker() {
  Kill();
  {
    std::unique_lock lock(mutex_);
    woken_.wait(lock, [this] { return loop_->Counts().leases_running == 0; });
    ending_ = true;
  }
  woken_.notify_all();
  thread_.join();
  // Now nothing opens a stream any more: those that are there are cut off, and the loop is still
  // there to hear of it.
  slots_.reset();
  connections_.clear();
  collector_ = {};
  world_.logger.Log(Level::kInfo, "worker_stopped", {{"worker", description_.name}});
}

void Worker::Drain() {
  {
    const std::lock_guard lock(mutex_);
    draining_ = true;
  }
  loop_->Drain();
}

void Worker::Kill() {
  {
    const std::lock_guard lock(mutex_);
    draining_ = true;
  }
  loop_->Kill();
}

bool Worker::WaitUntilDone(TimePoint deadline) {
  std::unique_lock lock(mutex_);
  return woken_.wait_until(lock, deadline, [this] { return loop_->IsDone(); });
}

bool Worker::ToolkitsChanged() const {
  return ToolkitStamps(SearchOf(options_, world_)) != toolkit_files_;
}

Status Worker::Ready() const {
  const std::lock_guard lock(mutex_);
  if (draining_) return Error{Code::kUnavailable, "the worker is draining"};
  if (loop_->Counts().servers_connected == 0)
    return Error{Code::kUnavailable, "no server can be reached"};
  return Ok{};
}

void Worker::Run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    wake_ = false;
    lock.unlock();
    const TimePoint next = loop_->Tick();
    lock.lock();
    woken_.wait_until(lock, next, [this] { return wake_ || ending_; });
  }
}

void Worker::Wake() {
  {
    const std::lock_guard lock(mutex_);
    wake_ = true;
  }
  woken_.notify_all();
}

}  // namespace ptxfarm::worker
