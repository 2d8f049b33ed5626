// SIGTERM and SIGINT as something to wait for, instead of something that happens in the middle of
// anything.
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>

namespace ptxfarm::service {

// Make it before there are threads: they inherit that these signals are held back.
class EndSignals {
 public:
  EndSignals();

  // The signal that came, or nothing after `timeout`.
  std::optional<int> Wait(std::chrono::milliseconds timeout) const;
  int Wait() const;

  // From now on a signal ends the process: the second one of an impatient operator.
  void Release() const;

 private:
  sigset_t signals_;
};

}  // namespace ptxfarm::service
