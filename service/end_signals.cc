#include "service/end_signals.h"

#include <ctime>

namespace ptxfarm::service {

EndSignals::EndSignals() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

std::optional<int> EndSignals::Wait(std::chrono::milliseconds timeout) const {
  timespec time{.tv_sec = timeout.count() / 1000, .tv_nsec = timeout.count() % 1000 * 1'000'000};
  const int signal = sigtimedwait(&signals_, nullptr, &time);
  if (signal < 0)
    return std::nullopt;  // Time is up, or another signal interrupted: the caller waits again.
  return signal;
}

int EndSignals::Wait() const {
  int signal = 0;
  sigwait(&signals_, &signal);
  return signal;
}

void EndSignals::Release() const { pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }

}  // namespace ptxfarm::service
