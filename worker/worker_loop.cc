#include "worker/worker_loop.h"

#include <algorithm>
#include <utility>

#include "worker/cancellation.h"

namespace ptxfarm::worker {
namespace {

using std::chrono::milliseconds;

// Until the server names one.
constexpr Duration kHeartbeatDefault = milliseconds(1'000);
// What a server may ask for: less floods it, more risks leases.
constexpr Duration kHeartbeatMin = milliseconds(20);
constexpr Duration kHeartbeatMax = milliseconds(60'000);

// The first try comes at once; a server that restarts is back within a second, and one that is down
// for long isn't hammered by a thousand workers at the same moment.
constexpr Duration kRetryDelayMin = milliseconds(100);
constexpr Duration kRetryDelayMax = milliseconds(15'000);
// A draining worker waits so long for a server that has yet to accept results.
constexpr int kFarewellTries = 5;

// Calls when it goes: named before the lock, so that the lock is gone by then.
class Afterwards {
 public:
  explicit Afterwards(const std::function<void()>& call) : call_(call) {}
  ~Afterwards() { call_(); }
  Afterwards(const Afterwards&) = delete;
  Afterwards& operator=(const Afterwards&) = delete;

 private:
  const std::function<void()>& call_;
};

}  // namespace

WorkerLoop::WorkerLoop(rpc::WorkerDescription worker, const Clock& clock, LeaseRunner& runner,
                       telemetry::Logger& logger, std::function<void()> wake, u64 seed)
    : worker_(std::move(worker)),
      clock_(clock),
      runner_(runner),
      logger_(logger),
      wake_(std::move(wake)),
      random_(seed) {}

ServerIndex WorkerLoop::AddServer(ServerLink& link) {
  const std::lock_guard lock(mutex_);
  servers_.push_back({.link = &link, .next = clock_.Now()});
  return servers_.size() - 1;
}

TimePoint WorkerLoop::Tick() {
  const std::lock_guard lock(mutex_);
  const TimePoint now = clock_.Now();
  TimePoint next = now + kHeartbeatMax;
  for (Server& server : servers_) {
    if (server.next <= now && server.state == LinkState::kWaiting) OpenLink(server);
    if (server.next <= now && server.state == LinkState::kOpen) Report(server, false, {});
    if (server.state == LinkState::kWaiting || server.state == LinkState::kOpen)
      next = std::min(next, server.next);
  }
  return next;
}

void WorkerLoop::OnOrders(ServerIndex index, rpc::WorkerOrders orders) {
  const Afterwards wake(wake_);
  const std::lock_guard lock(mutex_);
  Server& server = servers_[index];
  if (server.state != LinkState::kOpen) return;
  if (!std::exchange(server.greeted, true)) {
    server.retry_delay = Duration::zero();
    logger_.Log(telemetry::Level::kInfo, "server_connected", {{"server", server.link->address()}});
  }
  if (orders.heartbeat_interval) {
    server.heartbeat =
        std::clamp<Duration>(*orders.heartbeat_interval, kHeartbeatMin, kHeartbeatMax);
    server.next = std::min(server.next, clock_.Now() + server.heartbeat);
  }
  for (const std::string& id : orders.accepted_lease_ids) {
    const auto held = server.leases.find(id);
    if (held != server.leases.end() && held->second.state == LeaseState::kFinished)
      server.leases.erase(held);
  }
  for (const std::string& id : orders.cancelled_lease_ids) CancelLease(server, id);
  if (orders.drain && !std::exchange(server.draining, true))
    logger_.Log(telemetry::Level::kInfo, "server_drains_worker",
                {{"server", server.link->address()}});
  TakeLeases(server, std::move(orders.leases));
  StartWaiting();
  LeaveIfDrained(server);
}

void WorkerLoop::OnClosed(ServerIndex index, const Error& why) {
  const Afterwards wake(wake_);
  const std::lock_guard lock(mutex_);
  Server& server = servers_[index];
  if (server.state == LinkState::kClosing || Drained(server)) {
    server.state = LinkState::kGone;
    return;
  }
  RetryLater(server, why);
}

void WorkerLoop::OnFinished(ServerIndex index, rpc::FinishedLease finished) {
  const Afterwards wake(wake_);
  const std::lock_guard lock(mutex_);
  Server& server = servers_[index];
  --running_;
  const auto held = server.leases.find(finished.lease_id);
  // Cancelled leases were forgotten when the order came.
  if (held != server.leases.end()) {
    held->second.state = LeaseState::kFinished;
    held->second.cancellation.reset();
    held->second.finished = finished;
    if (server.state == LinkState::kOpen) {
      std::vector<rpc::FinishedLease> results;
      results.push_back(std::move(finished));
      Report(server, false, std::move(results));
    }
  }
  StartWaiting();
  LeaveIfDrained(server);
}

void WorkerLoop::Drain() {
  const Afterwards wake(wake_);
  const std::lock_guard lock(mutex_);
  if (std::exchange(draining_, true)) return;
  logger_.Log(telemetry::Level::kInfo, "worker_draining", {{"leases", running_}});
  for (Server& server : servers_) {
    server.draining = true;
    if (server.state == LinkState::kOpen) Report(server, false, {});
    LeaveIfDrained(server);
  }
}

void WorkerLoop::Kill() {
  const Afterwards wake(wake_);
  const std::lock_guard lock(mutex_);
  killed_ = draining_ = true;
  for (Server& server : servers_) {
    server.draining = true;
    for (auto& [id, held] : server.leases)
      if (held.cancellation != nullptr) held.cancellation->Cancel();
    // Listed no more: the server gives them to others.
    server.leases.clear();
    server.waiting.clear();
    if (server.state == LinkState::kOpen) Report(server, false, {});
    LeaveIfDrained(server);
  }
}

bool WorkerLoop::IsDone() const {
  const std::lock_guard lock(mutex_);
  return running_ == 0 && std::all_of(servers_.begin(), servers_.end(), [](const Server& server) {
           return server.draining && server.state == LinkState::kGone;
         });
}

bool WorkerLoop::IsDraining() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(servers_, &Server::draining);
}

LoopCounts WorkerLoop::Counts() const {
  const std::lock_guard lock(mutex_);
  LoopCounts counts{.servers = servers_.size(), .leases_running = running_};
  for (const Server& server : servers_) {
    if (server.state == LinkState::kOpen && server.greeted) ++counts.servers_connected;
    for (const auto& [id, held] : server.leases) {
      if (held.state == LeaseState::kWaiting) ++counts.leases_waiting;
      if (held.state == LeaseState::kFinished) ++counts.leases_finished;
    }
  }
  return counts;
}

void WorkerLoop::OpenLink(Server& server) {
  if (Drained(server)) {
    server.state = LinkState::kGone;
    return;
  }
  if (const Status opened = server.link->Open(); !opened) return RetryLater(server, opened.error());
  server.state = LinkState::kOpen;
  server.greeted = false;
  server.heartbeat = kHeartbeatDefault;
  // Results that the last stream may have lost on the way.
  std::vector<rpc::FinishedLease> finished;
  for (const auto& [id, held] : server.leases)
    if (held.state == LeaseState::kFinished) finished.push_back(held.finished);
  Report(server, true, std::move(finished));
}

void WorkerLoop::RetryLater(Server& server, const Error& why) {
  server.state = LinkState::kWaiting;
  server.retry_delay = std::clamp(server.retry_delay * 2, kRetryDelayMin, kRetryDelayMax);
  // Nobody is owed more than the results, and they can be made again elsewhere.
  if (draining_ && server.retry_delay >= kRetryDelayMin * (1 << kFarewellTries)) {
    server.leases.clear();
    server.waiting.clear();
    server.state = LinkState::kGone;
  }
  // Between half of it and all of it.
  std::uniform_real_distribution<double> jitter(0.5, 1.0);
  const auto delay = std::chrono::duration_cast<Duration>(server.retry_delay * jitter(random_));
  server.next = clock_.Now() + delay;
  logger_.Log(telemetry::Level::kWarning, "server_lost",
              {{"server", server.link->address()},
               {"why", why.ToString()},
               {"retry_ms", std::chrono::duration_cast<milliseconds>(delay)}});
}

void WorkerLoop::Report(Server& server, bool with_description,
                        std::vector<rpc::FinishedLease> finished) {
  rpc::WorkerReport report{.finished = std::move(finished), .draining = server.draining};
  if (with_description) report.worker = worker_;
  for (const auto& [id, held] : server.leases)
    if (held.state != LeaseState::kFinished) report.running_lease_ids.push_back(id);
  server.next = clock_.Now() + server.heartbeat;
  server.link->Send(std::move(report));
}

void WorkerLoop::TakeLeases(Server& server, std::vector<rpc::Lease> leases) {
  for (rpc::Lease& lease : leases) {
    // One that comes while draining was given out before the server knew; a dying worker lists
    // none, so that it goes back.
    if (killed_) continue;
    std::string id = lease.id;
    const auto [held, is_new] = server.leases.try_emplace(id);
    if (!is_new) continue;
    held->second.lease = std::make_shared<const rpc::Lease>(std::move(lease));
    server.waiting.push_back(std::move(id));
  }
}

void WorkerLoop::CancelLease(Server& server, const std::string& id) {
  const auto held = server.leases.find(id);
  if (held == server.leases.end()) return;
  if (held->second.cancellation != nullptr) held->second.cancellation->Cancel();
  std::erase(server.waiting, id);
  // Its slot is free when OnFinished comes.
  server.leases.erase(held);
}

void WorkerLoop::StartWaiting() {
  // One from each server in turn, as long as there are slots and somebody has something.
  std::size_t empty_handed = 0;
  while (running_ < worker_.slots && empty_handed < servers_.size()) {
    empty_handed = StartOne(turn_) ? 0 : empty_handed + 1;
    turn_ = (turn_ + 1) % servers_.size();
  }
}

bool WorkerLoop::StartOne(ServerIndex index) {
  Server& server = servers_[index];
  if (killed_ || server.waiting.empty()) return false;
  Held& held = server.leases.at(server.waiting.front());
  server.waiting.pop_front();
  held.state = LeaseState::kRunning;
  held.cancellation = std::make_shared<Cancellation>();
  ++running_;
  runner_.Start(index, held.lease, held.cancellation);
  return true;
}

bool WorkerLoop::Drained(const Server& server) const {
  return server.draining && server.leases.empty();
}

void WorkerLoop::LeaveIfDrained(Server& server) {
  if (!Drained(server)) return;
  if (server.state == LinkState::kOpen) {
    server.state = LinkState::kClosing;
    server.link->Close();
  } else if (server.state == LinkState::kWaiting) {
    server.state = LinkState::kGone;
  }
}

}  // namespace ptxfarm::worker
