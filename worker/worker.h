// A worker, in a program of its own or inside another.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "config/environment.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"
#include "worker/executors.h"
#include "worker/metrics.h"
#include "worker/options.h"
#include "worker/ptxas/toolkit.h"
#include "worker/scratch.h"
#include "worker/server_connection.h"
#include "worker/slot_pool.h"
#include "worker/worker_loop.h"

namespace ptxfarm::worker {

// What a worker stands on; all of it outlives the worker.
struct WorkerWorld {
  const Clock& clock;
  telemetry::Logger& logger;
  telemetry::Metrics& metrics;
  const config::Environment& environment;  // Where toolkits are looked for.
};

class Worker {
 public:
  // Looks for toolkits, tries each of them once, asks what protections there are, and begins to
  // connect; a server that isn't there yet is tried until it is. Without any toolkit the worker
  // bundles fat binaries, and the log says so.
  //
  // * INVALID_ARGUMENT: no server, or an address or TLS file that can't be used.
  // * NOT_FOUND: ptxfarm-confine is missing, or a toolkit that was named.
  // * FAILED_PRECONDITION: protections that are required are missing; the message names them.
  static Result<std::unique_ptr<Worker>> Start(WorkerOptions options, WorkerWorld world);

  // Stops: cancels what runs, and waits for its end.
  ~Worker();

  // Takes no more work; what is here is finished and handed over.
  void Drain();
  // Cancels what runs.
  void Kill();
  // Blocks until a drained worker has nothing left, or until `deadline`; true where it has nothing.
  bool WaitUntilDone(TimePoint deadline);

  // It takes no more work: it was told to drain, or found that its compiler was replaced.
  bool IsDraining() const { return loop_->IsDraining(); }
  // Whether other toolkits would be found now than at the start. Cheap enough for every second.
  bool ToolkitsChanged() const;

  // Connected to a server and not draining, or why not.
  Status Ready() const;
  LoopCounts Counts() const { return loop_->Counts(); }
  const std::vector<action::Compiler>& compilers() const { return description_.compilers; }
  const std::string& name() const { return description_.name; }

 private:
  using ToolkitFiles = std::map<std::string, FileStamp>;
  Worker(WorkerOptions options, WorkerWorld world, Scratch scratch, Workshop workshop,
         ToolkitFiles toolkit_files);

  void Connect();
  void Run();
  void Wake();

  const WorkerOptions options_;
  const WorkerWorld world_;
  Scratch scratch_;
  const Workshop workshop_;
  const ToolkitFiles toolkit_files_;  // As they were before they were looked into.
  rpc::WorkerDescription description_;
  WorkerMetrics metrics_;

  mutable std::mutex mutex_;
  std::condition_variable woken_;
  bool wake_ = false;  // Tick() may be due earlier than it said.
  bool draining_ = false;
  bool ending_ = false;

  // In the order in which they may go: connections call the loop, the loop calls slots and
  // connections.
  std::unique_ptr<WorkerLoop> loop_;
  telemetry::Metrics::Collector collector_;
  std::vector<std::unique_ptr<ServerConnection>> connections_;
  std::unique_ptr<SlotPool> slots_;
  std::thread thread_;
};

}  // namespace ptxfarm::worker
