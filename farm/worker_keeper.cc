#include "farm/worker_keeper.h"

#include <utility>

namespace ptxfarm::farm {
namespace {

using telemetry::Level;

// A call that comes after a new toolkit was installed is rarely quicker; if it is, it is told to
// ask again.
constexpr std::chrono::seconds kLook{1};
// A toolkit that is being copied, or a machine without memory, needs a while.
constexpr std::chrono::seconds kTryAgain{5};

}  // namespace

Result<std::unique_ptr<WorkerKeeper>> WorkerKeeper::Start(worker::WorkerOptions options,
                                                          worker::WorkerWorld world) {
  PTXFARM_ASSIGN_OR_RETURN(std::unique_ptr<worker::Worker> first,
                           worker::Worker::Start(options, world));
  std::unique_ptr<WorkerKeeper> keeper(
      new WorkerKeeper(std::move(options), world, std::move(first)));
  keeper->thread_ = std::thread([&keeper = *keeper] { keeper.Keep(); });
  return keeper;
}

WorkerKeeper::WorkerKeeper(worker::WorkerOptions options, worker::WorkerWorld world,
                           std::unique_ptr<worker::Worker> first)
    : options_(std::move(options)), world_(world), worker_(std::move(first)) {}

WorkerKeeper::~WorkerKeeper() {
  Release();
  thread_.join();
}

Status WorkerKeeper::Ready() const {
  const std::lock_guard lock(mutex_);
  return worker_ != nullptr ? worker_->Ready() : Status(why_none_);
}

void WorkerKeeper::Release() {
  {
    const std::lock_guard lock(mutex_);
    released_ = true;
  }
  changed_.notify_all();
}

void WorkerKeeper::Keep() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, kLook, [this] { return released_; })) return;
    }
    if (old_ != nullptr && old_->WaitUntilDone(world_.clock.Now())) old_.reset();
    if (Look()) Replace();
  }
}

// Whether another worker is due. Only this thread changes worker_, so it may look without the lock.
bool WorkerKeeper::Look() {
  if (worker_ == nullptr) return world_.clock.Now() >= next_try_;
  if (!worker_->IsDraining() && worker_->ToolkitsChanged()) {
    world_.logger.Log(Level::kInfo, "toolkits_changed", {{"worker", worker_->name()}});
    worker_->Drain();
  }
  // Two beside each other are enough.
  return worker_->IsDraining() && old_ == nullptr;
}

void WorkerKeeper::Replace() {
  Result<std::unique_ptr<worker::Worker>> started = worker::Worker::Start(options_, world_);
  if (!started) {
    world_.logger.Log(Level::kWarning, "worker_not_started", {{"why", started.error().ToString()}});
    next_try_ = world_.clock.Now() + kTryAgain;
  }
  const std::lock_guard lock(mutex_);
  if (worker_ != nullptr) old_ = std::move(worker_);
  worker_ = started ? *std::move(started) : nullptr;
  if (worker_ == nullptr) why_none_ = started.error();
}

}  // namespace ptxfarm::farm
