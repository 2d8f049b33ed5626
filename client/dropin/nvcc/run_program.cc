#include "client/dropin/nvcc/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "client/dropin/tool/output_file.h"

extern char** environ;

namespace ptxfarm::dropin {
namespace {

// Seen by the handler: the signal that came, and the program once it runs.
volatile std::sig_atomic_t g_signal = 0;
volatile std::sig_atomic_t g_child = 0;

void PassOn(int signal) {
  g_signal = signal;
  // A Ctrl-C comes to the whole group; one that is sent to us alone, nvcc would wait out.
  if (g_child > 0) ::kill(static_cast<pid_t>(g_child), signal == SIGINT ? SIGTERM : signal);
}

// While it lives, a signal that would end us is passed to the program, and what that leaves behind
// can be taken away after it.
class SignalsPassedOn {
 public:
  SignalsPassedOn() {
    struct sigaction action {};
    action.sa_handler = PassOn;
    ::sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      ::sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
    }
  }
  ~SignalsPassedOn() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i)
      ::sigaction(kSignals[i], &before_[i], nullptr);
    g_child = 0;
  }
  SignalsPassedOn(const SignalsPassedOn&) = delete;
  SignalsPassedOn& operator=(const SignalsPassedOn&) = delete;

  void To(pid_t child) {
    g_child = child;
    if (g_signal != 0) PassOn(g_signal);  // It came before there was a child.
  }
  int caught() const { return g_signal; }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(kSignals)];
};

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  return pointers;
}

// Reads both pipes to their ends, and prints what they bring.
void Drain(int out, int err, ProgramRan& ran) {
  pollfd ends[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  for (int open = 2; open > 0;) {
    if (::poll(ends, 2, -1) < 0) {
      if (errno != EINTR) return;
      continue;
    }
    for (pollfd& end : ends) {
      if (end.fd < 0 || end.revents == 0) continue;
      char buffer[64 << 10];
      const ssize_t count = ::read(end.fd, buffer, sizeof(buffer));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        ::close(end.fd);
        end.fd = -1;
        --open;
        continue;
      }
      const std::string_view text(buffer, static_cast<std::size_t>(count));
      const bool is_out = &end == &ends[0];
      (is_out ? ran.out : ran.err) += text;
      PrintTo(is_out ? STDOUT_FILENO : STDERR_FILENO, text);
    }
  }
}

}  // namespace

ProgramRan RunProgram(const std::string& program, const std::vector<std::string>& words,
                      const std::vector<std::string>& more_environment) {
  ProgramRan ran;
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) {
    std::fprintf(stderr, "ptxfarm-nvcc: can't run %s: %s\n", program.c_str(), std::strerror(errno));
    return ran;
  }
  std::vector<char*> argv = Pointers(words);
  argv.insert(argv.begin(), const_cast<char*>(program.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> environment = Pointers(more_environment);
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  SignalsPassedOn signals;
  pid_t pid = 0;
  const int failed =
      ::posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environment.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  ::close(err[1]);
  if (failed != 0) {
    ::close(out[0]);
    ::close(err[0]);
    std::fprintf(stderr, "ptxfarm-nvcc: can't run %s: %s\n", program.c_str(),
                 std::strerror(failed));
    return ran;
  }
  signals.To(pid);
  Drain(out[0], err[0], ran);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ran.broken_off = signals.caught();
  return ran;
}

void EndBy(int signal) {
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace ptxfarm::dropin
