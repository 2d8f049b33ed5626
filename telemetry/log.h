// One line an event: "2026-03-01T12:00:00.123Z info compile_finished action=3f… target=sm_90
// duration_ms=41".
//
// A line is an event (a word of the code's own, lower case with _) and fields, not prose; info is
// for what an operator acts on. No text of users' modules goes into a log.
#pragma once

#include <chrono>
#include <concepts>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>

#include "base/clock.h"
#include "base/digest.h"
#include "base/int.h"
#include "telemetry/log_sink.h"
#include "telemetry/trace.h"

namespace ptxfarm::telemetry {

enum class Level : u8 { kDebug, kInfo, kWarning, kError };

// "info"
std::string_view LevelName(Level level);

enum class LogFormat : u8 { kText, kJson };

// Lives no longer than the call that logs it: texts are looked at, not copied.
class Field {
 public:
  using Value = std::variant<bool, i64, u64, double, std::string_view, std::string>;

  Field(std::string_view key, bool value) : key_(key), value_(value) {}
  template <std::signed_integral T>
  Field(std::string_view key, T value) : key_(key), value_(i64{value}) {}
  template <std::unsigned_integral T>
  Field(std::string_view key, T value) : key_(key), value_(u64{value}) {}
  Field(std::string_view key, double value) : key_(key), value_(value) {}
  Field(std::string_view key, std::string_view value) : key_(key), value_(value) {}
  Field(std::string_view key, const char* value) : key_(key), value_(std::string_view(value)) {}
  Field(std::string_view key, const std::string& value)
      : key_(key), value_(std::string_view(value)) {}
  Field(std::string_view key, const Digest& digest) : key_(key), value_(digest.Hex()) {}
  // In milliseconds: the key ends in _ms.
  template <typename Rep, typename Period>
  Field(std::string_view key, std::chrono::duration<Rep, Period> value)
      : key_(key), value_(std::chrono::duration<double, std::milli>(value).count()) {}

  std::string_view key() const { return key_; }
  const Value& value() const { return value_; }

 private:
  std::string_view key_;
  Value value_;
};

struct LogOptions {
  Level level = Level::kInfo;  // Events below it are dropped.
  LogFormat format = LogFormat::kText;
  // No event is written more often in a second; the next line then says `suppressed=N`. 0: no
  // bound.
  u32 lines_per_event_per_second = 0;
};

// Safe to use from many threads; lines don't mix. Handed down by reference, there is no global one.
class Logger {
 public:
  Logger(LogSink& sink, const Clock& clock, LogOptions options = {})
      : sink_(sink), clock_(clock), options_(options) {}

  bool IsOn(Level level) const { return level >= options_.level; }

  void Log(Level level, std::string_view event, std::initializer_list<Field> fields = {}) {
    Write(level, event, nullptr, fields);
  }
  // With `trace=… span=…` behind the event, so that the lines of one request are found together.
  void Log(Level level, std::string_view event, const TraceContext& trace,
           std::initializer_list<Field> fields = {}) {
    Write(level, event, trace.IsSet() ? &trace : nullptr, fields);
  }

 private:
  struct Window {
    TimePoint begin;
    u32 lines = 0;
    u64 suppressed = 0;
  };

  void Write(Level level, std::string_view event, const TraceContext* trace,
             std::initializer_list<Field> fields);
  // Whether this line may be written; `suppressed` is how many weren't before it.
  bool Admit(std::string_view event, u64& suppressed);

  LogSink& sink_;
  const Clock& clock_;
  const LogOptions options_;

  std::mutex mutex_;
  std::map<std::string, Window, std::less<>> windows_;
};

}  // namespace ptxfarm::telemetry
