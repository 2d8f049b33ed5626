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

sigset_t EndSignals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, signal);
  return signals;
}

}  // namespace

void BlockEndSignals() {
  const sigset_t signals = EndSignals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

SignalWatcher::SignalWatcher(CancelToken token) : token_(std::move(token)) {
  PTXFARM_CHECK(::pipe2(stop_, O_CLOEXEC) == 0, "no descriptors left for a pipe");
  thread_ = std::thread([this] { Watch(); });
}

SignalWatcher::~SignalWatcher() {
  ::close(stop_[1]);
  thread_.join();
  ::close(stop_[0]);
}

void SignalWatcher::Watch() {
  const sigset_t signals = EndSignals();
  const int source = ::signalfd(-1, &signals, SFD_CLOEXEC);
  if (source < 0) return;
  while (true) {
    pollfd descriptors[] = {{source, POLLIN, 0}, {stop_[0], POLLIN, 0}};
    if (::poll(descriptors, 2, -1) < 0) continue;
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
