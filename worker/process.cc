#include "worker/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "worker/cancellation.h"
#include "worker/control_group.h"
#include "worker/descriptor.h"

namespace ptxfarm::worker {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  Descriptor read, write;
};

Result<Pipe> MakePipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return ErrnoError(errno, "make a pipe");
  return Pipe{Descriptor(fds[0]), Descriptor(fds[1])};
}

// The helper's words for a command. It is given the report's descriptor under this number, which
// no other descriptor of the child has yet.
constexpr int kReportFd = 3;

std::vector<std::string> HelperArguments(const std::string& helper, const Command& command) {
  std::vector<std::string> words = {
      helper,
      fmt::format("--mode={}", NameOf(command.confinement)),
      fmt::format("--folder={}", command.folder),
      fmt::format("--report-fd={}", kReportFd),
      fmt::format("--parent={}", ::getpid()),
  };
  for (const std::string& path : command.read_paths) words.push_back("--read=" + path);
  if (command.group != nullptr)
    for (const std::string& file : command.group->JoinFiles()) words.push_back("--group=" + file);
  const ProcessLimits& limits = command.limits;
  if (limits.memory_bytes != 0)
    words.push_back(fmt::format("--memory-bytes={}", limits.memory_bytes));
  if (limits.file_bytes != 0) words.push_back(fmt::format("--file-bytes={}", limits.file_bytes));
  if (limits.threads != 0) words.push_back(fmt::format("--threads={}", limits.threads));
  if (limits.wall_time.count() != 0) {
    // A backstop for the day that the worker itself is stopped: four threads at full speed, rounded
    // up.
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(limits.wall_time * 4).count() + 1;
    words.push_back(fmt::format("--cpu-seconds={}", seconds));
  }
  words.push_back("--");
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  return words;
}

// posix_spawn's two kinds of instructions, freed when they go.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    // A group of its own from the first moment, so that it can be killed at any; and the signal
    // state of a fresh program, whatever gRPC or the program around us has blocked or ignored.
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void Give(int fd, int as) { ::posix_spawn_file_actions_adddup2(&actions_, fd, as); }
  void GiveNothing(int as) {
    ::posix_spawn_file_actions_addopen(&actions_, as, "/dev/null", O_RDONLY, 0);
  }

  Result<pid_t> Spawn(const std::vector<std::string>& words) const {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    char* const environment[] = {nullptr};
    pid_t pid = 0;
    const int failed = ::posix_spawn(&pid, words.front().c_str(), &actions_, &attributes_,
                                     pointers.data(), environment);
    if (failed != 0) return ErrnoError(failed, fmt::format("start {}", words.front()));
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// A child that runs. Its pid stays its own until Reap(), as nobody else waits for it.
class Child {
 public:
  Child(pid_t pid, Pipe output, Pipe report)
      : pid_(pid),
        exit_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))),
        output_(std::move(output.read)),
        report_(std::move(report.read)) {
    ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  }

  // Whether Watch() can see its end; where not, the system is out of descriptors.
  bool watchable() const { return static_cast<bool>(exit_); }
  void Kill() { ::kill(-pid_, SIGKILL); }

  // Until the process has ended, whatever makes it end.
  void Watch(const ProcessLimits& limits, const Cancellation& cancellation, ProcessResult& result) {
    const Clock::time_point deadline =
        limits.wall_time.count() == 0 ? Clock::time_point::max() : Clock::now() + limits.wall_time;
    bool killed = false;
    const auto kill_for = [&](Ending why) {
      if (std::exchange(killed, true)) return;
      result.ending = why;
      Kill();
    };
    while (true) {
      std::array<pollfd, 3> waits = {{{exit_.get(), POLLIN, 0},
                                      {output_.get(), POLLIN, 0},
                                      {killed ? -1 : cancellation.fd(), POLLIN, 0}}};
      ::poll(waits.data(), waits.size(), killed ? -1 : MillisecondsUntil(deadline));
      if (waits[1].revents != 0) ReadOutput(limits, result);
      if (waits[0].revents != 0) break;
      if (said_bytes_ > limits.log_bytes_limit) kill_for(Ending::kOverOutput);
      if (cancellation.cancelled()) kill_for(Ending::kCancelled);
      if (Clock::now() >= deadline) kill_for(Ending::kTimedOut);
    }
    Kill();  // What it may have left in its group.
    ReadOutput(limits, result);
  }

  // Ends the child for the system: its status and what it took.
  int Reap(ProcessResult& result, u64& memory_bytes_max) {
    int status = 0;
    rusage usage{};
    pid_t reaped = -1;
    while ((reaped = ::wait4(pid_, &status, 0, &usage)) < 0 && errno == EINTR) {
    }
    PTXFARM_CHECK(reaped == pid_, "somebody else waits for our children, or ignores SIGCHLD");
    const auto microseconds = [](const timeval& time) {
      return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    };
    result.cpu_time = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
    memory_bytes_max = static_cast<u64>(usage.ru_maxrss) << 10;
    return status;
  }

  // What the helper said, where it couldn't become the program; empty where it could.
  std::string Report() {
    std::string text(4096, '\0');
    const ssize_t count = ::read(report_.get(), text.data(), text.size());
    text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

 private:
  static int MillisecondsUntil(Clock::time_point deadline) {
    if (deadline == Clock::time_point::max()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    return static_cast<int>(std::clamp<i64>(left.count(), 0, 3'600'000));
  }

  void ReadOutput(const ProcessLimits& limits, ProcessResult& result) {
    std::array<char, 16384> buffer;
    while (output_) {
      const ssize_t count = ::read(output_.get(), buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count <= 0) return output_.Close();
      said_bytes_ += static_cast<u64>(count);
      const std::size_t room = limits.log_bytes_max - result.output.size();
      result.output.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
      if (static_cast<std::size_t>(count) > room) result.output_cut = true;
      if (said_bytes_ > limits.log_bytes_limit) return;
    }
  }

  const pid_t pid_;
  const Descriptor exit_;
  Descriptor output_;
  Descriptor report_;
  u64 said_bytes_ = 0;
};

Error NotStarted(const std::string& program, const std::string& report) {
  // A protection's name stands where the failure is the machine's, the program's path where it is
  // the program's.
  if (report.starts_with(program))
    return Error{report.find("Permission denied") != std::string::npos ? Code::kPermissionDenied
                                                                       : Code::kNotFound,
                 fmt::format("run {}", report)};
  return Error{Code::kFailedPrecondition, fmt::format("confine {}: {}", program, report)};
}

void JudgeStatus(int status, ProcessResult& result) {
  if (result.ending != Ending::kExited) return;  // We ended it, for a reason.
  if (WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
    return;
  }
  result.signal = WTERMSIG(status);
  result.ending = Ending::kSignalled;
  if (result.signal == SIGXFSZ) result.ending = Ending::kOverOutput;
  if (result.signal == SIGXCPU) result.ending = Ending::kTimedOut;
}

// What this process itself took at most. The kernel counts it to a child that was spawned without
// a fork, so a child's figure says something only above it.
u64 OwnMemoryBytesMax() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<u64>(usage.ru_maxrss) << 10;
}

}  // namespace

Result<ProcessResult> RunProcess(const std::string& helper, const Command& command,
                                 const Cancellation& cancellation) {
  PTXFARM_CHECK(!command.arguments.empty() && command.arguments[0].starts_with('/'));
  PTXFARM_ASSIGN_OR_RETURN(Pipe output, MakePipe());
  PTXFARM_ASSIGN_OR_RETURN(Pipe report, MakePipe());
  SpawnPlan plan;
  plan.GiveNothing(STDIN_FILENO);
  plan.Give(output.write.get(), STDOUT_FILENO);
  plan.Give(output.write.get(), STDERR_FILENO);
  plan.Give(report.write.get(), kReportFd);
  if (command.group != nullptr)
    PTXFARM_RETURN_IF_ERROR(command.group->Prepare(command.limits.memory_bytes));

  const u64 own_memory_bytes = OwnMemoryBytesMax();
  const Clock::time_point started = Clock::now();
  PTXFARM_ASSIGN_OR_RETURN(const pid_t pid, plan.Spawn(HelperArguments(helper, command)));
  output.write.Close();
  report.write.Close();

  ProcessResult result;
  Child child(pid, std::move(output), std::move(report));
  u64 memory_bytes = 0;
  if (!child.watchable()) {
    child.Kill();
    child.Reap(result, memory_bytes);
    return Error{Code::kResourceExhausted, "watch a process: out of file descriptors"};
  }
  child.Watch(command.limits, cancellation, result);
  const int status = child.Reap(result, memory_bytes);
  result.wall_time = std::chrono::ceil<std::chrono::microseconds>(Clock::now() - started);
  if (const std::string said = child.Report(); !said.empty())
    return NotStarted(command.arguments[0], said);
  JudgeStatus(status, result);
  if (memory_bytes > own_memory_bytes) result.memory_bytes_max = memory_bytes;
  if (command.group != nullptr) {
    const GroupUsage usage = command.group->Usage();
    if (usage.killed_for_memory && result.ending == Ending::kSignalled)
      result.ending = Ending::kOverMemory;
    if (usage.memory_bytes_max != 0) result.memory_bytes_max = usage.memory_bytes_max;
  }
  return result;
}

}  // namespace ptxfarm::worker
