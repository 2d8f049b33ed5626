// The line at the bottom of a terminal that says what is under way; on anything else nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "client/lib/client.h"
#include "client/terminal.h"

namespace ptxfarm::client {

// Safe to call from many threads. Whatever else goes to the terminal meanwhile goes through Print.
class Progress {
 public:
  // `descriptor` is written to only where `terminal` is interactive; but Print always writes.
  Progress(int descriptor, Terminal terminal, std::size_t outputs_total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Update(const std::string& module, const TargetProgress& progress);
  void Finished(const std::string& module, const std::string& target);
  // Something that isn't a target's state: "waiting for the server".
  void Note(const std::string& text);

  // Text above the line.
  void Print(std::string_view text);

 private:
  struct Running {
    TargetState state = TargetState::kQueued;
    std::chrono::steady_clock::time_point since;
  };

  void Tick();
  // With the mutex held.
  void Clear();
  void Draw();
  std::string Line() const;
  void Write(std::string_view text) const;

  const int descriptor_;
  const Terminal terminal_;
  const std::size_t outputs_total_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Running> under_way_;  // By "module target".
  std::size_t finished_ = 0;
  std::string note_;
  bool drawn_ = false;
  bool ended_ = false;
  std::thread ticker_;
};

}  // namespace ptxfarm::client
