#include "client/local/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/file.h"

extern "C" {
#include <sys/pidfd.h>  // glibc 2.36 forgot to say that these are C functions.
}

namespace ptxfarm::local {
namespace {

using Steady = std::chrono::steady_clock;

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { Close(); }
  void Close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  int get() const { return number_; }

 private:
  int number_;
};

// What posix_spawn is told; destroyed with the scope.
struct SpawnSetting {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;

  SpawnSetting() {
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_init(&actions);
  }
  ~SpawnSetting() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnSetting(const SpawnSetting&) = delete;
  SpawnSetting& operator=(const SpawnSetting&) = delete;
};

// Waits until `descriptor` can be read. False: not before `deadline`.
bool WaitReadable(int descriptor, Steady::time_point deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Steady::now());
    pollfd poll_descriptor{descriptor, POLLIN, 0};
    const int ready = ::poll(&poll_descriptor, 1, static_cast<int>(std::max<i64>(left.count(), 0)));
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) return false;
  }
}

// The last lines of a log from `offset` on, indented.
std::string EndOfLog(const std::string& path, u64 offset) {
  constexpr std::size_t kBytesMax = 4000;
  const Result<std::string> log = ReadFile(path, u64{64} << 20);
  if (!log) return "";
  std::string_view text = *log;
  text.remove_prefix(std::min<std::size_t>(offset, text.size()));
  if (text.size() > kBytesMax) {
    text.remove_prefix(text.size() - kBytesMax);
    text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  }
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    shown += fmt::format("\n  | {}", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shown;
}

// A log that grew large makes room; the one before it is kept.
void RotateLog(const std::string& path) {
  constexpr off_t kBytesMax = 1 << 20;
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && info.st_size > kBytesMax)
    ::rename(path.c_str(), (path + ".1").c_str());
}

Result<pid_t> Spawn(const DaemonCommand& command, int log, int ready) {
  SpawnSetting setting;
  ::posix_spawn_file_actions_addopen(&setting.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&setting.actions, log, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&setting.actions, log, STDERR_FILENO);
  ::posix_spawn_file_actions_adddup2(&setting.actions, ready, kReadyDescriptor);
  // Whoever started us may have left descriptors open to be inherited (make's job server does); a
  // daemon that kept a pipe open would make its reader wait for ever.
  ::posix_spawn_file_actions_addclosefrom_np(&setting.actions, kReadyDescriptor + 1);
  ::posix_spawn_file_actions_addchdir_np(&setting.actions, "/");

  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&setting.attributes, &none);
  ::posix_spawnattr_setsigdefault(&setting.attributes, &all);
  ::posix_spawnattr_setflags(&setting.attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::vector<char*> words = {const_cast<char*>(command.program.c_str())};
  for (const std::string& argument : command.arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  pid_t process = -1;
  const int error = ::posix_spawn(&process, command.program.c_str(), &setting.actions,
                                  &setting.attributes, words.data(), environ);
  if (error != 0) return ErrnoError(error, fmt::format("start {}", command.program));
  return process;
}

// "status 3" or "signal 9" of a child that has ended.
std::string HowItEnded(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  return fmt::format("status {}", WEXITSTATUS(status));
}

}  // namespace

Result<std::string> StartDaemon(const DaemonCommand& command, std::chrono::milliseconds timeout) {
  RotateLog(command.log);
  const Descriptor log(
      ::open(command.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (log.get() < 0) return ErrnoError(errno, fmt::format("open {}", command.log));
  const off_t log_start = ::lseek(log.get(), 0, SEEK_END);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return ErrnoError(errno, "make a pipe");
  const Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  PTXFARM_ASSIGN_OR_RETURN(const pid_t process, Spawn(command, log.get(), theirs.get()));
  theirs.Close();  // From here on the pipe ends when the daemon does.

  const Steady::time_point deadline = Steady::now() + timeout;
  std::string line;
  while (!line.ends_with('\n')) {
    if (!WaitReadable(ours.get(), deadline)) {
      ::kill(process, SIGKILL);
      HowItEnded(process);
      return MakeError(Code::kUnavailable, "{} was not ready after {} s{}", command.program,
                       timeout.count() / 1000, EndOfLog(command.log, static_cast<u64>(log_start)));
    }
    char buffer[1024];
    const ssize_t count = ::read(ours.get(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      return MakeError(Code::kUnavailable, "{} ended with {} before it was ready; {} says:{}",
                       command.program, HowItEnded(process), command.log,
                       EndOfLog(command.log, static_cast<u64>(log_start)));
    line.append(buffer, static_cast<std::size_t>(count));
  }
  line.pop_back();
  return line;
}

Status EndProcess(pid_t process, std::chrono::milliseconds patience) {
  // Through a descriptor, so that no other process that gets the number meanwhile is hit.
  const Descriptor handle(::pidfd_open(process, 0));
  if (handle.get() < 0) {
    if (errno == ESRCH) return Ok{};
    return ErrnoError(errno, fmt::format("open process {}", process));
  }
  for (const int signal : {SIGTERM, SIGKILL}) {
    if (::pidfd_send_signal(handle.get(), signal, nullptr, 0) != 0) {
      if (errno == ESRCH) return Ok{};
      return ErrnoError(errno, fmt::format("end process {}", process));
    }
    // A killed process is gone as soon as the kernel lets it; a minute means that it hangs in a
    // driver.
    const auto wait = signal == SIGTERM ? patience : std::chrono::milliseconds(60'000);
    if (WaitReadable(handle.get(), Steady::now() + wait)) return Ok{};
  }
  return MakeError(Code::kUnavailable, "process {} does not end", process);
}

}  // namespace ptxfarm::local
