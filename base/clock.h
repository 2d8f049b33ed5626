// Time as a dependency: real in programs, stepped by hand in tests.
#pragma once

#include <chrono>
#include <mutex>

namespace ptxfarm {

// Monotonic, for deadlines and leases.
using TimePoint = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;
// Of the calendar, for records that outlive the process.
using WallTime = std::chrono::system_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint Now() const = 0;
  virtual WallTime WallNow() const = 0;
};

class RealClock final : public Clock {
 public:
  TimePoint Now() const override { return std::chrono::steady_clock::now(); }
  WallTime WallNow() const override { return std::chrono::system_clock::now(); }
};

// Stands still until it is told to advance. Both readings move together.
class SteppedClock final : public Clock {
 public:
  TimePoint Now() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  WallTime WallNow() const override {
    const std::lock_guard lock(mutex_);
    return WallTime(std::chrono::duration_cast<WallTime::duration>(now_.time_since_epoch()));
  }
  void Advance(Duration by) {
    const std::lock_guard lock(mutex_);
    now_ += by;
  }

 private:
  mutable std::mutex mutex_;
  TimePoint now_{std::chrono::hours(24 * 365 * 50)};
};

}  // namespace ptxfarm
