// Keeps a worker in the farm: starts another when the toolkits on disk are others than before, and
// when the worker has ended for any other reason.
//
// The new one starts as soon as the old one takes no more work, which then finishes what it has
// beside it: a compile of minutes keeps nobody waiting.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "worker/worker.h"

namespace ptxfarm::farm {

class WorkerKeeper {
 public:
  // The errors of worker::Worker::Start. A worker that can't be started later is tried again and
  // again.
  static Result<std::unique_ptr<WorkerKeeper>> Start(worker::WorkerOptions options,
                                                     worker::WorkerWorld world);
  // Stops the worker.
  ~WorkerKeeper();

  // The worker's, or why there is none.
  Status Ready() const;

  // From now on the worker stays as it is, and isn't replaced: the farm ends.
  void Release();

 private:
  WorkerKeeper(worker::WorkerOptions options, worker::WorkerWorld world,
               std::unique_ptr<worker::Worker> first);

  void Keep();
  bool Look();
  void Replace();

  const worker::WorkerOptions options_;
  const worker::WorkerWorld world_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool released_ = false;
  std::unique_ptr<worker::Worker> worker_;  // Null where none could be started.
  Error why_none_{Code::kOk, ""};

  // The thread's alone.
  std::unique_ptr<worker::Worker> old_;  // Takes no more work, and has some left.
  TimePoint next_try_{};
  std::thread thread_;
};

}  // namespace ptxfarm::farm
