// The queue of actions with its leases: who waits for what, who works on what.
//
// The core of the server, free of gRPC, store and threads of its own. An action is there once
// however many callers wait for it (single flight). Workers hold leases, which they renew; a lease
// that isn't renewed goes back to the queue. Order: the tenant with the least work running, then
// priority, then the longest predicted first, then the oldest.
//
// Callbacks (Waiter, WorkerLink) are made without a lock held, from whichever thread caused them,
// and may still come while Leave or Disconnect is under way: whoever is called back is held until
// then, and ignores what is too late.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "action/action.h"
#include "action/action_result.h"
#include "base/clock.h"
#include "rpc/calls.h"

namespace ptxfarm::server {

// What came out, with the outputs that are at hand; the others are in the store.
struct Finished {
  action::ActionResult result;
  std::vector<Blob> outputs;
};

// One caller's interest in one action.
class Waiter {
 public:
  virtual ~Waiter() = default;
  // The action has begun to run (again, after a worker was lost).
  virtual void OnRunning(const std::string& worker) = 0;
  // Once, and the last call.
  virtual void OnFinished(const std::shared_ptr<const Finished>& finished) = 0;
};

// A worker's stream: told that TakeOrders has something. May be called again before TakeOrders is.
class WorkerLink {
 public:
  virtual ~WorkerLink() = default;
  virtual void OnOrders() = 0;
};

struct Task {
  action::Action action;
  Sha256 digest{};
  action::Limits limits;
  std::vector<Blob> inputs;  // Those that ride in the lease.
  u64 cost = 0;              // Predicted; of any unit. Bytes of input, until more is known.
  u64 memory_bytes = 0;      // Set aside on the worker.
  std::string traceparent;
};

struct QueueOptions {
  std::size_t waiting_max = 10'000;  // Actions that wait; beyond, callers are asked to come back.
  std::chrono::milliseconds lease_time{15'000};
  std::chrono::milliseconds reconnect_time{3'000};  // A broken stream's leases live on for so long.
  std::chrono::milliseconds no_worker_time{
      60'000};           // An action that no worker can do is given up after it.
  u32 attempts_max = 3;  // Workers that an action may take down.
};

struct QueueCounts {
  std::size_t waiting = 0;
  std::size_t running = 0;
  std::size_t workers = 0;
  u32 slots = 0;
};

class ActionQueue {
 public:
  using TicketId = u64;
  using SessionId = u64;

  struct Submitted {
    TicketId ticket = 0;
    bool joined = false;
  };

  // `clock` outlives the queue. `on_verdict` gets results that no worker reported: an action that
  // took too many workers down. It remembers them, so that the next caller's workers are spared.
  ActionQueue(const Clock& clock, QueueOptions options,
              std::function<void(const Task&, const action::ActionResult&)> on_verdict = nullptr);
  ~ActionQueue();

  // ---- Callers

  // Joins the equal action where there is one, queues it otherwise. UNAVAILABLE when draining;
  // RESOURCE_EXHAUSTED when full. OnFinished may come before this returns.
  Result<Submitted> Submit(Task task, const std::string& tenant, i32 priority,
                           std::shared_ptr<Waiter> waiter);

  // The caller is gone. The last one's leaving cancels the action. Idempotent.
  void Leave(TicketId ticket);

  // ---- Workers

  // A worker's stream has begun; it gets work from its first Renew on. If it was here before (by
  // id), its old stream is dead and its leases are the new one's.
  SessionId Connect(const rpc::WorkerDescription& worker, std::shared_ptr<WorkerLink> link);
  // What the worker says it runs, which renews those leases; leases it forgot go back to the queue,
  // and those that are no longer its own are cancelled.
  void Renew(SessionId session, const std::vector<std::string>& running_lease_ids, bool draining);
  // The action of a lease, if the lease is still this session's. The result may be stored then and
  // Finish be called. From now on it doesn't expire, however long storing takes.
  std::optional<Task> BeginFinish(SessionId session, const std::string& lease_id);
  // The lease is over. Late ones (lease lost meanwhile) are only acknowledged.
  void Finish(SessionId session, const std::string& lease_id,
              std::shared_ptr<const Finished> finished);
  rpc::WorkerOrders TakeOrders(SessionId session);
  // The stream has ended. Its leases wait a little for the worker to come back.
  void Disconnect(SessionId session);

  // ---- Time and life

  // Expires leases and actions without a worker. To be called every second or so.
  void Tick();
  // Takes no more actions; those that are there are finished.
  void Drain();
  bool DrainWorker(const std::string& worker_id);  // False: no such worker.
  bool Idle() const;

  QueueCounts Counts() const;
  std::vector<rpc::WorkerStatus> Workers() const;
  void List(rpc::QueueStatus& status) const;

 private:
  struct Entry;
  struct Session;
  struct Tenant;
  struct Calls;

  // All of these are called with mutex_ held; what is to be called back afterwards is added to
  // `calls`.
  void Dispatch(Calls& calls);
  Entry* NextFor(const Session& session);
  void Grant(Session& session, Entry& entry, Calls& calls);
  void Lose(Entry& entry, Calls& calls);
  void Complete(Entry& entry, std::shared_ptr<const Finished> finished, Calls& calls);
  void Enqueue(Entry& entry);
  void Unqueue(Entry& entry);
  void Unlease(Entry& entry);
  void GiveUp(Entry& entry, action::ActionResult result, Calls& calls);
  bool AnotherCanRun(const Entry& entry, const std::string& not_worker_id) const;
  // Waiting for its compiler is in vain: no worker has it, and others of its backend are here.
  bool CompilerIsReplaced(const action::Action& action) const;
  void ExpireLeases(Calls& calls);
  void ExpireUnservable(Calls& calls);
  void ForgetSessions();
  Session* FindSession(SessionId id) const;
  rpc::QueuedAction Describe(const Entry& entry) const;

  const Clock& clock_;
  const QueueOptions options_;
  const std::function<void(const Task&, const action::ActionResult&)> on_verdict_;
  const std::string lease_prefix_;  // Leases of a server's earlier life never look like ours.

  mutable std::mutex mutex_;
  // All of the following under mutex_.
  std::map<Sha256, std::unique_ptr<Entry>> entries_;
  std::unordered_map<TicketId, Entry*> tickets_;
  std::unordered_map<std::string, Entry*> leases_;
  std::map<std::string, std::unique_ptr<Tenant>> tenants_;
  std::map<SessionId, std::unique_ptr<Session>> sessions_;
  std::size_t waiting_ = 0;
  u64 next_id_ = 1;
  bool draining_ = false;
};

}  // namespace ptxfarm::server
