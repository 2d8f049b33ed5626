// Cancellation: one who says stop, and any number of threads that look or wait.
#pragma once

#include <atomic>

#include "worker/descriptor.h"

namespace ptxfarm::worker {

// Once cancelled it stays so. Safe to call from many threads; share it by shared_ptr.
class Cancellation {
 public:
  Cancellation();

  void Cancel();
  bool cancelled() const { return cancelled_.load(std::memory_order_acquire); }
  // Readable from the moment of Cancel() on: for poll().
  int fd() const { return event_.get(); }

 private:
  std::atomic<bool> cancelled_ = false;
  Descriptor event_;
};

}  // namespace ptxfarm::worker
