#include "tests/support/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/check.h"

extern char** environ;

namespace ptxfarm::test {
namespace {

std::vector<std::string> EnvironmentWith(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) environment.push_back(text);
  }
  for (const auto& [name, value] : changes)
    if (!value.empty()) environment.push_back(name + "=" + value);
  return environment;
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string ProgramPath(const std::string& name) {
  const char* const folder = std::getenv("PTXFARM_BIN");
  PTXFARM_CHECK(folder != nullptr, "run through ctest, or set PTXFARM_BIN");
  return std::string(folder) + "/" + name;
}

Program::Program(std::vector<std::string> words, std::map<std::string, std::string> environment) {
  if (words.at(0).find('/') == std::string::npos) words[0] = ProgramPath(words[0]);
  int pipe[2];
  PTXFARM_CHECK(::pipe2(pipe, O_CLOEXEC) == 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], 2);
  std::vector<std::string> variables = EnvironmentWith(environment);
  const int failed = ::posix_spawn(&pid_, words[0].c_str(), &actions, nullptr,
                                   Pointers(words).data(), Pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  PTXFARM_CHECK(failed == 0, words[0]);
  listener_ = std::thread([this, read_end = pipe[0]] { Listen(read_end); });
}

Program::~Program() {
  if (!exit_code_) {
    Signal(SIGKILL);
    Wait();
  }
  listener_.join();
}

void Program::Listen(int pipe) {
  char buffer[4096];
  while (true) {
    const ssize_t count = ::read(pipe, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    const std::lock_guard lock(mutex_);
    if (count > 0)
      output_.append(buffer, static_cast<std::size_t>(count));
    else
      closed_ = true;
    printed_.notify_all();
    if (closed_) break;
  }
  ::close(pipe);
}

std::optional<std::string> Program::WaitForLine(const std::string& text) {
  std::unique_lock lock(mutex_);
  std::optional<std::string> line;
  printed_.wait(lock, [&] {
    const std::size_t at = output_.find(text);
    const std::size_t end = at == std::string::npos ? at : output_.find('\n', at);
    if (end == std::string::npos) return closed_;
    const std::size_t begin = output_.rfind('\n', at);
    line = output_.substr(begin == std::string::npos ? 0 : begin + 1,
                          end - (begin == std::string::npos ? 0 : begin + 1));
    return true;
  });
  return line;
}

void Program::Signal(int signal) const { ::kill(pid_, signal); }

int Program::Wait() {
  while (!exit_code_) {
    int status = 0;
    const pid_t ended = ::waitpid(pid_, &status, 0);
    if (ended < 0 && errno == EINTR) continue;
    PTXFARM_CHECK(ended == pid_);
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  // What it printed last may still be in the pipe.
  std::unique_lock lock(mutex_);
  printed_.wait(lock, [this] { return closed_; });
  return *exit_code_;
}

std::string Program::output() const {
  const std::lock_guard lock(mutex_);
  return output_;
}

}  // namespace ptxfarm::test
