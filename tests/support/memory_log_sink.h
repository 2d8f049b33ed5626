// A log whose lines a test can look at.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/log_sink.h"

namespace ptxfarm::test {

class MemoryLogSink final : public telemetry::LogSink {
 public:
  void Write(std::string_view line) override {
    const std::lock_guard lock(mutex_);
    lines_.emplace_back(line);
  }

  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  // Whether any line has this in it.
  bool Has(std::string_view part) const {
    const std::lock_guard lock(mutex_);
    for (const std::string& line : lines_) {
      if (line.find(part) != std::string::npos) return true;
    }
    return false;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

}  // namespace ptxfarm::test
