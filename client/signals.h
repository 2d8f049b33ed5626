// Ctrl-C and its kin, turned into a cancellation.
#pragma once

#include <atomic>
#include <thread>

#include "client/lib/client.h"

namespace ptxfarm::client {

// While it lives, SIGINT, SIGTERM and SIGHUP end the process at once, as they do without it.
// Between Defer and Resume the first of them only cancels the token, so that what was begun can be
// left in order; a second one, or a few seconds, end the process all the same.
class SignalWatcher {
 public:
  // Blocks the signals for this thread and those that it starts: must be made before the threads
  // that live on.
  explicit SignalWatcher(CancelToken token);
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

  void Defer() { deferred_ = true; }
  void Resume();

 private:
  void Watch();

  const CancelToken token_;
  std::atomic<bool> deferred_ = false;
  std::atomic<int> received_ = 0;  // The deferred signal that came.
  int stop_[2] = {-1, -1};         // A pipe: its end ends the thread.
  std::thread thread_;
};

// Ends this process by the signal, as if nobody had caught it: shells tell that apart from an exit
// status.
[[noreturn]] void EndBySignal(int signal);

}  // namespace ptxfarm::client
