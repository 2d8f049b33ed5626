// What workers do to the queue: take leases, renew, finish and lose them.
#include <algorithm>

#include "server/action_queue.h"
#include "server/action_queue_state.h"

namespace ptxfarm::server {

ActionQueue::SessionId ActionQueue::Connect(const rpc::WorkerDescription& worker,
                                            std::shared_ptr<WorkerLink> link) {
  Calls calls;
  SessionId id = 0;
  {
    const std::lock_guard lock(mutex_);
    id = next_id_++;
    auto session = std::make_unique<Session>();
    session->id = id;
    session->worker = worker;
    session->link = std::move(link);
    session->connected = session->heard = clock_.Now();
    for (auto old = sessions_.begin(); old != sessions_.end();) {
      if (old->second->worker.id != worker.id) {
        ++old;
        continue;
      }
      // What it still runs it will list in its first Renew; until then the leases are as fresh as
      // new ones.
      session->leased = old->second->leased;
      session->memory_bytes = old->second->memory_bytes;
      session->finished = old->second->finished;
      session->drain_ordered = old->second->drain_ordered;
      for (Entry* const entry : session->leased) {
        entry->session = id;
        entry->acknowledged =
            true;  // Held before the stream broke: if it isn't listed now, it is lost.
        entry->lease_deadline = clock_.Now() + options_.lease_time;
      }
      old = sessions_.erase(old);
    }
    if (session->drain_ordered) session->orders.drain = true;
    // A third of the lease: two heartbeats may be lost before a lease is.
    session->orders.heartbeat_interval = options_.lease_time / 3;
    calls.Wake(*session);
    sessions_.emplace(id, std::move(session));
  }
  calls.Run();
  return id;
}

void ActionQueue::Renew(SessionId session_id, const std::vector<std::string>& running_lease_ids,
                        bool draining) {
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    Session* const session = FindSession(session_id);
    if (session == nullptr) return;
    session->heard = clock_.Now();
    session->draining = draining;
    const std::set<std::string> listed(running_lease_ids.begin(), running_lease_ids.end());
    std::vector<Entry*> forgotten;
    for (Entry* const entry : session->leased) {
      if (listed.contains(entry->lease_id)) {
        entry->acknowledged = true;
        entry->lease_deadline = clock_.Now() + options_.lease_time;
      } else if (entry->acknowledged && !entry->finishing) {
        forgotten.push_back(entry);
      }
    }
    for (Entry* const entry : forgotten) Lose(*entry, calls);
    std::erase_if(session->cancelling, [&](const std::string& id) { return !listed.contains(id); });
    for (const std::string& id : listed) {
      const auto found = leases_.find(id);
      if (found != leases_.end() && found->second->session == session_id) continue;
      session->cancelling.insert(id);
      session->orders.cancelled_lease_ids.push_back(id);
    }
    calls.Wake(*session);
    Dispatch(calls);
  }
  calls.Run();
}

std::optional<Task> ActionQueue::BeginFinish(SessionId session, const std::string& lease_id) {
  const std::lock_guard lock(mutex_);
  const auto found = leases_.find(lease_id);
  if (found == leases_.end() || found->second->session != session) return std::nullopt;
  found->second->finishing = true;
  return found->second->task;
}

void ActionQueue::Finish(SessionId session_id, const std::string& lease_id,
                         std::shared_ptr<const Finished> finished) {
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    Session* const session = FindSession(session_id);
    if (session != nullptr) {
      session->heard = clock_.Now();
      session->orders.accepted_lease_ids.push_back(lease_id);
      session->cancelling.erase(lease_id);
      calls.Wake(*session);
    }
    const auto found = leases_.find(lease_id);
    // The stream may have changed while the result was stored; the worker is the same, and so is
    // the lease.
    if (found != leases_.end()) {
      Entry& entry = *found->second;
      if (session != nullptr) ++session->finished;
      const action::Outcome outcome = finished->result.outcome;
      const std::string worker_id = session != nullptr ? session->worker.id : "";
      const bool may_pass_elsewhere =
          outcome == action::Outcome::kCrashed || outcome == action::Outcome::kFault;
      if (outcome == action::Outcome::kCancelled) {
        // The worker gave it up without being told to: it is being shut down.
        Unlease(entry);
        Enqueue(entry);
      } else if (may_pass_elsewhere && entry.avoid.empty() && AnotherCanRun(entry, worker_id)) {
        entry.avoid.insert(worker_id);
        Unlease(entry);
        Enqueue(entry);
      } else {
        Complete(entry, std::move(finished), calls);
      }
    }
    Dispatch(calls);
  }
  calls.Run();
}

rpc::WorkerOrders ActionQueue::TakeOrders(SessionId session_id) {
  const std::lock_guard lock(mutex_);
  Session* const session = FindSession(session_id);
  if (session == nullptr) return {};
  return std::exchange(session->orders, {});
}

void ActionQueue::Disconnect(SessionId session_id) {
  const std::lock_guard lock(mutex_);
  Session* const session = FindSession(session_id);
  if (session == nullptr) return;
  session->link.reset();
  const TimePoint last = clock_.Now() + options_.reconnect_time;
  for (Entry* const entry : session->leased)
    entry->lease_deadline = std::min(entry->lease_deadline, last);
  if (session->leased.empty()) sessions_.erase(session_id);
}

bool ActionQueue::DrainWorker(const std::string& worker_id) {
  Calls calls;
  bool found = false;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, session] : sessions_) {
      if (session->worker.id != worker_id) continue;
      found = true;
      session->drain_ordered = true;
      session->orders.drain = true;
      calls.Wake(*session);
    }
  }
  calls.Run();
  return found;
}

std::vector<rpc::WorkerStatus> ActionQueue::Workers() const {
  const std::lock_guard lock(mutex_);
  std::vector<rpc::WorkerStatus> workers;
  for (const auto& [id, session] : sessions_) {
    if (session->link == nullptr) continue;
    workers.push_back({.worker = session->worker,
                       .slots_busy = static_cast<u32>(session->SlotsBusy()),
                       .draining = session->draining || session->drain_ordered,
                       .connected = std::chrono::duration_cast<std::chrono::milliseconds>(
                           clock_.Now() - session->connected),
                       .actions_finished = session->finished});
  }
  return workers;
}

// ---- mutex_ is held from here on.

// Gives work to whoever has room, a lease at a time, the emptiest worker first, so that load
// spreads.
void ActionQueue::Dispatch(Calls& calls) {
  while (waiting_ > 0) {
    std::vector<Session*> ready;
    for (const auto& [id, session] : sessions_)
      // One that hasn't been heard of for a whole lease is dead or hung; its stream just doesn't
      // know yet.
      if (session->TakesWork() && clock_.Now() - session->heard < options_.lease_time)
        ready.push_back(session.get());
    std::stable_sort(ready.begin(), ready.end(), [](const Session* a, const Session* b) {
      return a->worker.slots - a->SlotsBusy() > b->worker.slots - b->SlotsBusy();
    });
    bool granted = false;
    for (Session* const session : ready) {
      Entry* const entry = NextFor(*session);
      if (entry == nullptr) continue;
      Grant(*session, *entry, calls);
      granted = true;
      break;
    }
    if (!granted) return;
  }
}

// The tenant with the least work running comes first, and among equals the one that was served
// longest ago.
ActionQueue::Entry* ActionQueue::NextFor(const Session& session) {
  std::vector<Tenant*> order;
  for (const auto& [name, tenant] : tenants_)
    if (!tenant->waiting.empty()) order.push_back(tenant.get());
  std::sort(order.begin(), order.end(), [](const Tenant* a, const Tenant* b) {
    return std::tuple(a->running, a->served_last) < std::tuple(b->running, b->served_last);
  });
  for (Tenant* const tenant : order) {
    Entry* best = nullptr;
    for (const auto& [requirement, entries] : tenant->waiting) {
      if (!session.HasCompilerFor((*entries.begin())->task.action)) continue;
      const auto fits = std::find_if(entries.begin(), entries.end(), [&](const Entry* entry) {
        return !entry->avoid.contains(session.worker.id) && session.HasMemoryFor(entry->task);
      });
      if (fits != entries.end() && (best == nullptr || Entry::Order()(*fits, best))) best = *fits;
    }
    if (best == nullptr) continue;
    return best;
  }
  return nullptr;
}

void ActionQueue::Grant(Session& session, Entry& entry, Calls& calls) {
  Unqueue(entry);
  entry.lease_id = fmt::format("{}{}", lease_prefix_, next_id_++);
  entry.session = session.id;
  entry.lease_deadline = clock_.Now() + options_.lease_time;
  entry.unservable_since.reset();
  leases_[entry.lease_id] = &entry;
  session.leased.insert(&entry);
  session.memory_bytes += entry.task.memory_bytes;
  std::unique_ptr<Tenant>& tenant = tenants_[entry.tenant];
  if (tenant == nullptr) tenant = std::make_unique<Tenant>();
  ++tenant->running;
  tenant->served_last = next_id_;
  session.orders.leases.push_back({.id = entry.lease_id,
                                   .action = entry.task.action,
                                   .action_sha256 = entry.task.digest,
                                   .inputs = entry.task.inputs,
                                   .limits = entry.task.limits,
                                   .traceparent = entry.task.traceparent});
  calls.Wake(session);
  for (const auto& [ticket, waiter] : entry.waiters)
    calls.waiters.push_back(
        [waiter = waiter, name = session.worker.name] { waiter->OnRunning(name); });
}

// The worker, or its word, is gone. Whoever takes workers down again and again is answered instead
// of tried on.
void ActionQueue::Lose(Entry& entry, Calls& calls) {
  ++entry.workers_lost;
  if (Session* const session = FindSession(entry.session);
      session != nullptr && session->link != nullptr) {
    session->cancelling.insert(entry.lease_id);
    session->orders.cancelled_lease_ids.push_back(entry.lease_id);
    calls.Wake(*session);
  }
  if (entry.workers_lost >= options_.attempts_max) {
    GiveUp(
        entry,
        action::Failed(
            action::Outcome::kCrashed, "worker-lost",
            fmt::format(
                "{} workers were lost while they compiled this; it is not tried again for a while",
                entry.workers_lost)),
        calls);
    return;
  }
  Unlease(entry);
  Enqueue(entry);
}

bool ActionQueue::AnotherCanRun(const Entry& entry, const std::string& not_worker_id) const {
  return std::any_of(sessions_.begin(), sessions_.end(), [&](const auto& item) {
    const Session& session = *item.second;
    return session.TakesNew() && session.worker.id != not_worker_id &&
           !entry.avoid.contains(session.worker.id) && session.HasCompilerFor(entry.task.action);
  });
}

bool ActionQueue::CompilerIsReplaced(const action::Action& action) const {
  bool others_came = false;
  for (const auto& [id, session] : sessions_) {
    if (!session->TakesNew()) continue;
    for (const action::Compiler& compiler : session->worker.compilers) {
      if (compiler.identity == action.compiler) return false;
      others_came |= compiler.identity.backend == action.compiler.backend;
    }
  }
  return others_came;
}

void ActionQueue::ForgetSessions() {
  std::erase_if(sessions_, [](const auto& item) {
    return item.second->link == nullptr && item.second->leased.empty();
  });
}

ActionQueue::Session* ActionQueue::FindSession(SessionId id) const {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : found->second.get();
}

}  // namespace ptxfarm::server
