// A real process under test: started, listened to, signalled, waited for; never outlives the test.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace ptxfarm::test {

class Program {
 public:
  // `words[0]` is a path, or the name of a program of ours. `environment` is added to (or, with an
  // empty value, taken out of) the test's own.
  explicit Program(std::vector<std::string> words,
                   std::map<std::string, std::string> environment = {});
  // Kills it where it still runs.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Blocks until a line that contains `text` was printed (standard output and error alike) and
  // returns it. Nothing when the program has closed its output without.
  std::optional<std::string> WaitForLine(const std::string& text);

  void Signal(int signal) const;
  // Blocks until it has ended and all it printed is in output(): its exit code, 128 + signal where
  // one ended it.
  int Wait();

  pid_t pid() const { return pid_; }
  // All that was printed so far.
  std::string output() const;

 private:
  void Listen(int pipe);

  pid_t pid_ = -1;
  std::optional<int> exit_code_;
  mutable std::mutex mutex_;
  std::condition_variable printed_;
  std::string output_;
  bool closed_ = false;
  std::thread listener_;
};

// The path of a program of ours: "ptxfarm-server".
std::string ProgramPath(const std::string& name);

}  // namespace ptxfarm::test
