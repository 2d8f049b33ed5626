// Ctrl-C and its kin, turned into a cancellation.
#pragma once

#include <atomic>
#include <thread>

#include "client/lib/client.h"

namespace ptxfarm::client {

// Blocks SIGINT, SIGTERM and SIGHUP for this thread and those that it starts; must be called before
// any other thread is there.
void BlockEndSignals();

// While it lives, a signal ends the process at once; after Defer the first one only cancels the
// token, so that what was begun can be left in order, and the second ends the process.
class SignalWatcher {
 public:
  explicit SignalWatcher(CancelToken token);
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

  void Defer() { deferred_ = true; }

  // The deferred signal that came, or 0.
  int received() const { return received_; }

 private:
  void Watch();

  const CancelToken token_;
  std::atomic<bool> deferred_ = false;
  std::atomic<int> received_ = 0;
  int stop_[2] = {-1, -1};  // A pipe: its end ends the thread.
  std::thread thread_;
};

// Ends this process by the signal, as if nobody had caught it: shells tell that apart from an exit
// status.
[[noreturn]] void EndBySignal(int signal);

}  // namespace ptxfarm::client
