// What the queue keeps of actions, tenants and workers. Only for action_queue*.cc; all of it under
// the queue's mutex.
#pragma once

#include <set>
#include <tuple>

#include "server/action_queue.h"

namespace ptxfarm::server {

struct ActionQueue::Entry {
  Task task;
  std::string tenant;
  i32 priority = 0;
  u64 sequence = 0;
  TimePoint submitted;
  std::string requirement;  // Of which workers can run it: equal for equal compiler and target.
  std::vector<std::pair<TicketId, std::shared_ptr<Waiter>>> waiters;

  u32 workers_lost = 0;
  std::set<std::string>
      avoid;  // Workers (by id) on which it failed in a way that another might not.
  std::optional<TimePoint> unservable_since;

  // While it runs; the lease is empty while it waits.
  std::string lease_id;
  SessionId session = 0;
  TimePoint lease_deadline;
  bool acknowledged = false;  // The worker has listed the lease, so it is not just on its way.
  bool finishing = false;     // Its result is being stored.

  bool running() const { return !lease_id.empty(); }

  // First what is to run first. Predicted long goes first so that it doesn't end last, alone.
  struct Order {
    bool operator()(const Entry* a, const Entry* b) const {
      return std::tuple(-i64{a->priority}, ~a->task.cost, a->sequence) <
             std::tuple(-i64{b->priority}, ~b->task.cost, b->sequence);
    }
  };
};

struct ActionQueue::Tenant {
  // By requirement, so that a worker looks at the first of each kind that it can run, and not
  // through thousands it can't.
  std::map<std::string, std::set<Entry*, Entry::Order>> waiting;
  std::size_t running = 0;
  u64 served_last = 0;
};

struct ActionQueue::Session {
  SessionId id = 0;
  rpc::WorkerDescription worker;
  std::shared_ptr<WorkerLink> link;  // Null once the stream has ended.
  TimePoint connected;
  TimePoint heard;  // When it last said something.
  bool draining = false;
  bool drain_ordered = false;
  std::set<Entry*> leased;
  std::set<std::string> cancelling;  // Cancelled leases that still hold a slot there.
  u64 memory_bytes = 0;              // Set aside for what is leased.
  u64 finished = 0;
  rpc::WorkerOrders orders;  // To be taken.

  std::size_t SlotsBusy() const { return leased.size() + cancelling.size(); }
  bool TakesNew() const { return link != nullptr && !draining && !drain_ordered; }
  bool TakesWork() const { return TakesNew() && SlotsBusy() < worker.slots; }
  bool HasCompilerFor(const action::Action& action) const {
    for (const action::Compiler& compiler : worker.compilers)
      if (compiler.identity == action.compiler &&
          (action.target.empty() || compiler.HasTarget(action.target)))
        return true;
    return false;
  }
  // The first action always fits: a worker smaller than the estimate is better than none.
  bool HasMemoryFor(const Task& task) const {
    return leased.empty() || worker.memory_bytes == 0 ||
           memory_bytes + task.memory_bytes <= worker.memory_bytes;
  }
};

// Callbacks to make when the mutex is free again.
struct ActionQueue::Calls {
  std::vector<std::function<void()>> waiters;
  std::set<std::shared_ptr<WorkerLink>> links;

  void Wake(const Session& session) {
    if (session.link != nullptr && !session.orders.Empty()) links.insert(session.link);
  }
  void Run() {
    for (const std::function<void()>& call : waiters) call();
    for (const std::shared_ptr<WorkerLink>& link : links) link->OnOrders();
  }
};

}  // namespace ptxfarm::server
