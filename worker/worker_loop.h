// The worker's core: leases from several servers onto one set of slots.
//
// Free of gRPC, threads and clocks of its own: servers are ServerLinks, work is done by a
// LeaseRunner, time comes in through the clock, and Tick() is called when it says so. What happens
// is told to it (OnOrders, OnClosed, OnFinished) from any thread.
//
// A lease is waiting (for a slot), running, or finished (until the server has accepted the result).
// Each server is told that all slots are its own: what comes beyond them waits here, and the
// servers take turns. A stream that breaks is opened again after a growing, jittered delay, and the
// leases of its server run on meanwhile.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "rpc/calls.h"
#include "telemetry/log.h"

namespace ptxfarm::worker {

class Cancellation;

// How the loop speaks to one server. All of it is called with the loop's lock held: it must not
// block, and what comes of it is told to the loop from another thread, later.
class ServerLink {
 public:
  virtual ~ServerLink() = default;
  // For logs.
  virtual const std::string& address() const = 0;
  // Opens a stream. OnClosed follows once, at the stream's end, unless this fails.
  virtual Status Open() = 0;
  // Sends on the open stream, in order.
  virtual void Send(rpc::WorkerReport report) = 0;
  // Ends the open stream after what was sent; OnClosed follows.
  virtual void Close() = 0;
};

using ServerIndex = std::size_t;

class LeaseRunner {
 public:
  virtual ~LeaseRunner() = default;
  // Begins to do the lease's action; WorkerLoop::OnFinished follows once, from another thread.
  // Called with the loop's lock held, and never for more leases at once than there are slots.
  virtual void Start(ServerIndex server, std::shared_ptr<const rpc::Lease> lease,
                     std::shared_ptr<Cancellation> cancellation) = 0;
};

struct LoopCounts {
  std::size_t servers = 0;
  std::size_t servers_connected = 0;
  std::size_t leases_waiting = 0;
  std::size_t leases_running = 0;   // Slots busy, also with what was cancelled and isn't gone yet.
  std::size_t leases_finished = 0;  // Not yet accepted.
};

class WorkerLoop {
 public:
  // `clock`, `runner`, `logger` and the links outlive the loop. `wake` is called, without a lock
  // held, when Tick() or IsDone() may have something new to say. `seed` is for the jitter.
  WorkerLoop(rpc::WorkerDescription worker, const Clock& clock, LeaseRunner& runner,
             telemetry::Logger& logger, std::function<void()> wake, u64 seed);

  // Before the first Tick().
  ServerIndex AddServer(ServerLink& link);

  // Does what is due and says when to come again.
  TimePoint Tick();

  void OnOrders(ServerIndex server, rpc::WorkerOrders orders);
  void OnClosed(ServerIndex server, const Error& why);
  // The work on a lease is over; `finished` is what to report, unless it was cancelled meanwhile.
  void OnFinished(ServerIndex server, rpc::FinishedLease finished);

  // Takes no new leases; what is here is finished and reported. IsDone() then becomes true.
  void Drain();
  // Cancels what runs and forgets it, as the process is about to end.
  void Kill();
  // Nothing is left to do: drained, and every result accepted or its server out of reach for good.
  bool IsDone() const;
  // It takes no more leases, by its own choice or its servers'.
  bool IsDraining() const;

  LoopCounts Counts() const;

 private:
  enum class LinkState : u8 { kWaiting, kOpen, kClosing, kGone };
  enum class LeaseState : u8 { kWaiting, kRunning, kFinished };

  struct Held {
    LeaseState state = LeaseState::kWaiting;
    std::shared_ptr<const rpc::Lease> lease;
    std::shared_ptr<Cancellation> cancellation;  // While it runs.
    rpc::FinishedLease finished;                 // Once it has finished.
  };

  struct Server {
    ServerLink* link = nullptr;
    LinkState state = LinkState::kWaiting;
    bool greeted = false;   // It has answered on this stream.
    bool draining = false;  // It, or the worker, takes no more leases.
    TimePoint next{};       // The next report where it is open, the next try where it waits.
    Duration heartbeat{};
    Duration retry_delay{};
    std::map<std::string, Held> leases;
    std::deque<std::string> waiting;  // In the order they came.
  };

  // All of these are called with mutex_ held.
  void OpenLink(Server& server);
  void RetryLater(Server& server, const Error& why);
  void Report(Server& server, bool with_description, std::vector<rpc::FinishedLease> finished);
  void TakeLeases(Server& server, std::vector<rpc::Lease> leases);
  void CancelLease(Server& server, const std::string& id);
  void StartWaiting();
  bool StartOne(ServerIndex index);
  void LeaveIfDrained(Server& server);
  bool Drained(const Server& server) const;

  const rpc::WorkerDescription worker_;
  const Clock& clock_;
  LeaseRunner& runner_;
  telemetry::Logger& logger_;
  const std::function<void()> wake_;

  mutable std::mutex mutex_;
  std::vector<Server> servers_;
  std::size_t running_ = 0;
  ServerIndex turn_ = 0;  // Whose lease starts next.
  bool draining_ = false;
  bool killed_ = false;
  std::mt19937_64 random_;
};

}  // namespace ptxfarm::worker
