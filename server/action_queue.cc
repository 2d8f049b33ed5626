// Callers, time and life of the queue; what workers do to it is in action_queue_workers.cc.
#include "server/action_queue.h"

#include <algorithm>
#include <random>

#include "server/action_queue_state.h"

namespace ptxfarm::server {
namespace {

std::string RandomPrefix() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}-", device(), device());
}

std::string RequirementOf(const action::Action& action) {
  return fmt::format("{} {} {}", action.compiler.backend, HexOf(action.compiler.sha256),
                     action.target);
}

}  // namespace

ActionQueue::ActionQueue(const Clock& clock, QueueOptions options,
                         std::function<void(const Task&, const action::ActionResult&)> on_verdict)
    : clock_(clock),
      options_(options),
      on_verdict_(std::move(on_verdict)),
      lease_prefix_(RandomPrefix()) {}

ActionQueue::~ActionQueue() = default;

Result<ActionQueue::Submitted> ActionQueue::Submit(Task task, const std::string& tenant,
                                                   i32 priority, std::shared_ptr<Waiter> waiter) {
  Calls calls;
  Submitted submitted;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(task.digest);
    if (found == entries_.end()) {
      if (draining_)
        return MakeError(Code::kUnavailable, "the server is draining: retry on another one");
      if (waiting_ >= options_.waiting_max)
        return MakeError(Code::kResourceExhausted,
                         "{} actions wait already; waiting_max is {}: retry later", waiting_,
                         options_.waiting_max);
    }
    submitted.joined = found != entries_.end();
    submitted.ticket = next_id_++;
    if (submitted.joined) {
      Entry& entry = *found->second;
      entry.waiters.emplace_back(submitted.ticket, waiter);
      tickets_[submitted.ticket] = &entry;
      if (priority > entry.priority && !entry.running()) {
        Unqueue(entry);
        entry.priority = priority;
        Enqueue(entry);
      }
      if (const Session* const session = FindSession(entry.session);
          entry.running() && session != nullptr)
        calls.waiters.push_back([waiter, name = session->worker.name] { waiter->OnRunning(name); });
    } else {
      auto entry = std::make_unique<Entry>();
      entry->requirement = RequirementOf(task.action);
      entry->task = std::move(task);
      entry->tenant = tenant;
      entry->priority = priority;
      entry->sequence = submitted.ticket;
      entry->submitted = clock_.Now();
      entry->waiters.emplace_back(submitted.ticket, std::move(waiter));
      tickets_[submitted.ticket] = entry.get();
      Enqueue(*entry);
      entries_.emplace(entry->task.digest, std::move(entry));
      Dispatch(calls);
    }
  }
  calls.Run();
  return submitted;
}

void ActionQueue::Leave(TicketId ticket) {
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    const auto found = tickets_.find(ticket);
    if (found == tickets_.end()) return;
    Entry& entry = *found->second;
    tickets_.erase(found);
    std::erase_if(entry.waiters, [ticket](const auto& waiter) { return waiter.first == ticket; });
    // A result that is being stored already is worth keeping, waited for or not.
    if (!entry.waiters.empty() || entry.finishing) return;
    if (entry.running()) {
      Session& session = *FindSession(entry.session);
      session.orders.cancelled_lease_ids.push_back(entry.lease_id);
      session.cancelling.insert(entry.lease_id);
      calls.Wake(session);
      Unlease(entry);
    } else {
      Unqueue(entry);
    }
    entries_.erase(entry.task.digest);
    Dispatch(calls);
  }
  calls.Run();
}

void ActionQueue::Tick() {
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    ExpireLeases(calls);
    ExpireUnservable(calls);
    ForgetSessions();
    Dispatch(calls);
  }
  calls.Run();
}

void ActionQueue::ExpireLeases(Calls& calls) {
  std::vector<Entry*> expired;
  for (const auto& [lease_id, entry] : leases_)
    if (!entry->finishing && entry->lease_deadline <= clock_.Now()) expired.push_back(entry);
  for (Entry* const entry : expired) Lose(*entry, calls);
}

void ActionQueue::ExpireUnservable(Calls& calls) {
  std::vector<Entry*> given_up;
  std::vector<Entry*> outlived;
  for (const auto& [digest, entry] : entries_) {
    if (entry->running()) continue;
    if (AnotherCanRun(*entry, "")) {
      entry->unservable_since.reset();
    } else if (CompilerIsReplaced(entry->task.action)) {
      outlived.push_back(entry.get());
    } else if (!entry->avoid.empty()) {
      entry->avoid
          .clear();  // Whoever might have done better is gone: better there again than never.
    } else if (!entry->unservable_since) {
      entry->unservable_since = clock_.Now();
    } else if (clock_.Now() - *entry->unservable_since >= options_.no_worker_time) {
      given_up.push_back(entry.get());
    }
  }
  for (Entry* const entry : outlived)
    GiveUp(*entry,
           action::Failed(action::Outcome::kFault, std::string(action::kCompilerChanged),
                          fmt::format("no worker has {} any more: ask again, others have come",
                                      action::NameOf(entry->task.action.compiler))),
           calls);
  for (Entry* const entry : given_up) {
    const action::Action& action = entry->task.action;
    GiveUp(
        *entry,
        action::Failed(
            action::Outcome::kFault, "no-worker",
            fmt::format("no worker with {}{}{} has been here for {} s: start one, or retry later",
                        action::NameOf(action.compiler), action.target.empty() ? "" : " for ",
                        action.target, options_.no_worker_time.count() / 1000)),
        calls);
  }
}

void ActionQueue::Drain() {
  const std::lock_guard lock(mutex_);
  draining_ = true;
}

bool ActionQueue::Idle() const {
  const std::lock_guard lock(mutex_);
  return entries_.empty();
}

QueueCounts ActionQueue::Counts() const {
  const std::lock_guard lock(mutex_);
  QueueCounts counts{.waiting = waiting_, .running = leases_.size()};
  for (const auto& [id, session] : sessions_) {
    if (session->link == nullptr) continue;
    ++counts.workers;
    counts.slots += session->worker.slots;
  }
  return counts;
}

void ActionQueue::List(rpc::QueueStatus& status) const {
  const std::lock_guard lock(mutex_);
  status.waiting_count = waiting_;
  status.running_count = leases_.size();
  for (const auto& [digest, entry] : entries_) {
    std::vector<rpc::QueuedAction>& list = entry->running() ? status.running : status.waiting;
    if (list.size() < rpc::kQueueListMax) list.push_back(Describe(*entry));
  }
}

rpc::QueuedAction ActionQueue::Describe(const Entry& entry) const {
  rpc::QueuedAction action{
      .action_sha256 = entry.task.digest,
      .target = entry.task.action.target,
      .tenant = entry.tenant,
      .priority = entry.priority,
      .age = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now() - entry.submitted),
      .waiters = static_cast<u32>(entry.waiters.size()),
      .attempts = entry.workers_lost};
  if (const Session* const session = FindSession(entry.session);
      entry.running() && session != nullptr)
    action.worker = session->worker.name;
  return action;
}

// ---- Moving entries between states; mutex_ is held.

void ActionQueue::Enqueue(Entry& entry) {
  std::unique_ptr<Tenant>& tenant = tenants_[entry.tenant];
  if (tenant == nullptr) tenant = std::make_unique<Tenant>();
  tenant->waiting[entry.requirement].insert(&entry);
  ++waiting_;
}

void ActionQueue::Unqueue(Entry& entry) {
  Tenant& tenant = *tenants_.at(entry.tenant);
  const auto list = tenant.waiting.find(entry.requirement);
  list->second.erase(&entry);
  if (list->second.empty()) tenant.waiting.erase(list);
  if (tenant.waiting.empty() && tenant.running == 0) tenants_.erase(entry.tenant);
  --waiting_;
}

void ActionQueue::Unlease(Entry& entry) {
  leases_.erase(entry.lease_id);
  if (Session* const session = FindSession(entry.session)) {
    session->leased.erase(&entry);
    session->memory_bytes -= entry.task.memory_bytes;
  }
  Tenant& tenant = *tenants_.at(entry.tenant);
  --tenant.running;
  if (tenant.waiting.empty() && tenant.running == 0) tenants_.erase(entry.tenant);
  entry.lease_id.clear();
  entry.session = 0;
  entry.acknowledged = false;
  entry.finishing = false;
}

void ActionQueue::Complete(Entry& entry, std::shared_ptr<const Finished> finished, Calls& calls) {
  for (auto& [ticket, waiter] : entry.waiters) {
    tickets_.erase(ticket);
    calls.waiters.push_back(
        [waiter = std::move(waiter), finished] { waiter->OnFinished(finished); });
  }
  if (entry.running())
    Unlease(entry);
  else
    Unqueue(entry);
  entries_.erase(entry.task.digest);
}

void ActionQueue::GiveUp(Entry& entry, action::ActionResult result, Calls& calls) {
  result.compiler = entry.task.action.compiler;
  auto finished = std::make_shared<const Finished>(Finished{.result = std::move(result)});
  if (on_verdict_)
    calls.waiters.push_back(
        [this, task = entry.task, finished] { on_verdict_(task, finished->result); });
  Complete(entry, std::move(finished), calls);
}

}  // namespace ptxfarm::server
