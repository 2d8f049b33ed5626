#include "telemetry/log.h"

#include <cmath>

#include "telemetry/log_line.h"

namespace ptxfarm::telemetry {

std::string_view LevelName(Level level) {
  switch (level) {
    case Level::kDebug: return "debug";
    case Level::kInfo: return "info";
    case Level::kWarning: return "warning";
    case Level::kError: return "error";
  }
  return "error";
}

namespace {

// Three decimals at most: a microsecond, where the value is milliseconds.
std::string FormatReal(double value) {
  std::string text = fmt::format("{:.3f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

struct AppendText {
  std::string& line;
  void operator()(bool value) const { line += value ? "true" : "false"; }
  void operator()(i64 value) const { line += std::to_string(value); }
  void operator()(u64 value) const { line += std::to_string(value); }
  void operator()(double value) const {
    line += std::isfinite(value) ? FormatReal(value) : fmt::format("{}", value);
  }
  void operator()(std::string_view value) const { AppendLogfmt(line, value); }
  void operator()(const std::string& value) const { AppendLogfmt(line, value); }
};

struct AppendJsonValue {
  std::string& line;
  void operator()(bool value) const { line += value ? "true" : "false"; }
  void operator()(i64 value) const { line += std::to_string(value); }
  void operator()(u64 value) const { line += std::to_string(value); }
  void operator()(double value) const {
    // JSON knows neither infinity nor "not a number".
    line += std::isfinite(value) ? FormatReal(value) : "null";
  }
  void operator()(std::string_view value) const { AppendJson(line, value); }
  void operator()(const std::string& value) const { AppendJson(line, value); }
};

// One line of either format, filled field by field.
class Line {
 public:
  Line(LogFormat format, WallTime time, Level level, std::string_view event)
      : is_json_(format == LogFormat::kJson) {
    if (is_json_) {
      line_ = fmt::format("{{\"time\":\"{}\",\"level\":\"{}\",\"event\":", FormatTime(time),
                          LevelName(level));
      AppendJson(line_, event);
    } else {
      line_ = fmt::format("{} {} ", FormatTime(time), LevelName(level));
      AppendLogfmt(line_, event);
    }
  }

  void Add(const Field& field) {
    if (is_json_) {
      line_ += ',';
      AppendJson(line_, field.key());
      line_ += ':';
      std::visit(AppendJsonValue{line_}, field.value());
    } else {
      line_ += ' ';
      AppendLogfmt(line_, field.key());
      line_ += '=';
      std::visit(AppendText{line_}, field.value());
    }
  }

  std::string Finish() && {
    line_ += is_json_ ? "}\n" : "\n";
    return std::move(line_);
  }

 private:
  const bool is_json_;
  std::string line_;
};

}  // namespace

void Logger::Write(Level level, std::string_view event, const TraceContext* trace,
                   std::initializer_list<Field> fields) {
  if (!IsOn(level)) return;
  u64 suppressed = 0;
  if (!Admit(event, suppressed)) return;

  Line line(options_.format, clock_.WallNow(), level, event);
  if (trace != nullptr) {
    line.Add({"trace", trace->TraceIdHex()});
    line.Add({"span", trace->SpanIdHex()});
  }
  for (const Field& field : fields) line.Add(field);
  if (suppressed > 0) line.Add({"suppressed", suppressed});
  sink_.Write(std::move(line).Finish());
}

bool Logger::Admit(std::string_view event, u64& suppressed) {
  if (options_.lines_per_event_per_second == 0) return true;
  const std::lock_guard lock(mutex_);
  // Events are words of the code: there are as many windows as the code has events.
  const auto found = windows_.find(event);
  Window& window = found != windows_.end() ? found->second : windows_[std::string(event)];
  const TimePoint now = clock_.Now();
  if (window.lines == 0 || now - window.begin >= std::chrono::seconds(1)) {
    window.begin = now;
    window.lines = 0;
  }
  if (window.lines >= options_.lines_per_event_per_second) {
    ++window.suppressed;
    return false;
  }
  ++window.lines;
  suppressed = std::exchange(window.suppressed, 0);
  return true;
}

}  // namespace ptxfarm::telemetry
