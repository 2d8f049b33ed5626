#include "client/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdlib>

#include "base/check.h"

namespace ptxfarm::client {
namespace {

// What is left in order takes milliseconds; a pipe that nobody reads takes for ever.
constexpr int kGraceMs = 3000;

sigset_t EndSignals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, signal);
  return signals;
}

}  // namespace

SignalWatcher::SignalWatcher(CancelToken token) : token_(std::move(token)) {
  PTXFARM_CHECK(::pipe2(stop_, O_CLOEXEC) == 0, "no descriptors left for a pipe");
  const sigset_t signals = EndSignals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  thread_ = std::thread([this] { Watch(); });
}

SignalWatcher::~SignalWatcher() {
  ::close(stop_[1]);
  thread_.join();
  ::close(stop_[0]);
  const sigset_t signals = EndSignals();
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void SignalWatcher::Resume() {
  deferred_ = false;
  // One that came in between has been waiting for this.
  if (received_ != 0) EndBySignal(received_);
}

void SignalWatcher::Watch() {
  const sigset_t signals = EndSignals();
  const int source = ::signalfd(-1, &signals, SFD_CLOEXEC);
  if (source < 0) return;
  while (true) {
    pollfd descriptors[] = {{source, POLLIN, 0}, {stop_[0], POLLIN, 0}};
    const int ready = ::poll(descriptors, 2, received_ != 0 ? kGraceMs : -1);
    if (ready < 0) continue;
    if (ready == 0) EndBySignal(received_);
    if (descriptors[1].revents != 0) break;
    signalfd_siginfo info{};
    if (::read(source, &info, sizeof(info)) != sizeof(info)) continue;
    const int signal = static_cast<int>(info.ssi_signo);
    if (!deferred_ || received_ != 0) EndBySignal(signal);
    received_ = signal;
    token_.Cancel();
  }
  ::close(source);
}

void EndBySignal(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::kill(::getpid(), signal);
  std::_Exit(128 + signal);  // Where the signal is ignored by whoever started us.
}

}  // namespace ptxfarm::client
