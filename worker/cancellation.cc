#include "worker/cancellation.h"

#include <sys/eventfd.h>

#include "base/check.h"

namespace ptxfarm::worker {

Cancellation::Cancellation() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  // Without descriptors the worker can't start a process either; it has a slot for each of these.
  PTXFARM_CHECK(static_cast<bool>(event_), "eventfd: out of file descriptors");
}

void Cancellation::Cancel() {
  if (cancelled_.exchange(true, std::memory_order_acq_rel)) return;
  ::eventfd_write(event_.get(), 1);
}

}  // namespace ptxfarm::worker
