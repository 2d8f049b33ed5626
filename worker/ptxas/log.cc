#include "worker/ptxas/log.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "base/text.h"

namespace ptxfarm::worker {
namespace {

// Lines of a module with a million faults: the first ones tell all there is to know.
constexpr std::size_t kDiagnosticsMax = 1000;
constexpr std::size_t kMessageBytesMax = 1000;

enum class Weight : u8 { kInfo, kWarning, kError };

// "ptxas input.ptx, line 7; error   : message", or without the place.
struct Line {
  Weight weight = Weight::kInfo;
  u32 line = 0;
  std::string_view message;
};

bool Consume(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

template <typename T>
bool ConsumeNumber(std::string_view& text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::optional<Weight> ConsumeWeight(std::string_view& text) {
  struct Row {
    std::string_view word;
    Weight weight;
  };
  static constexpr Row kRows[] = {{"error", Weight::kError},
                                  {"fatal", Weight::kError},
                                  {"warning", Weight::kWarning},
                                  {"info", Weight::kInfo}};
  for (const Row& row : kRows) {
    std::string_view rest = text;
    if (!Consume(rest, row.word)) continue;
    const std::size_t colon = rest.find_first_not_of(' ');
    if (colon == std::string_view::npos || rest[colon] != ':') continue;
    rest.remove_prefix(colon + 1);
    Consume(rest, " ");
    text = rest;
    return row.weight;
  }
  return std::nullopt;
}

std::optional<Line> ReadLine(std::string_view text) {
  Line line;
  if (!Consume(text, "ptxas ")) return std::nullopt;
  if (const std::optional<Weight> weight = ConsumeWeight(text)) {
    line.weight = *weight;
    line.message = text;
    return line;
  }
  // The file's name is ours, so no text of the user's stands before this.
  const std::size_t place = text.find(", line ");
  if (place == std::string_view::npos) return std::nullopt;
  text.remove_prefix(place + 7);
  if (!ConsumeNumber(text, line.line) || !Consume(text, "; ")) return std::nullopt;
  const std::optional<Weight> weight = ConsumeWeight(text);
  if (!weight) return std::nullopt;
  line.weight = *weight;
  line.message = text;
  return line;
}

// The only line that differs between equal compiles.
bool IsClock(std::string_view text) {
  const std::optional<Line> line = ReadLine(text);
  return line && line->weight == Weight::kInfo && line->message.starts_with("Compile time");
}

// Reads the lines one by one; the report's lines belong to the function named last.
class Reader {
 public:
  explicit Reader(CompilerLog& log) : log_(log) {}

  void Take(std::string_view text) {
    if (std::optional<Line> line = ReadLine(text)) {
      if (line->weight != Weight::kInfo || !TakeReport(line->message)) TakeMessage(*line);
    } else {
      TakeFrame(text);
    }
  }

  void Finish() {
    std::vector<LoggedDiagnostic>& all = log_.diagnostics;
    std::ranges::stable_sort(
        all, {}, [](const LoggedDiagnostic& logged) { return logged.diagnostic.place; });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    log_.outcome = Verdict();
  }

 private:
  // "Used 10 registers, used 4 barriers, 48 bytes cumulative stack size, 4096 bytes smem, 360 bytes
  // cmem[0]"; true for every line that is report and not news.
  bool TakeReport(std::string_view message) {
    if (const auto named = Match("Function properties for {}", message)) {
      function_ = &log_.functions[named->front()];
      return true;
    }
    if (const auto named = Match("Compiling entry function '{}' for '{}'", message)) {
      function_ = &log_.functions[named->front()];
      return true;
    }
    if (message.starts_with("Compile time")) return true;
    if (!message.starts_with("Used ") && message.find(" bytes gmem") == std::string_view::npos)
      return false;
    if (message.starts_with("Used ")) TakeItems(message);
    return true;
  }

  // "    48 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
  void TakeFrame(std::string_view text) {
    if (text.starts_with("    ")) TakeItems(text);
  }

  void TakeItems(std::string_view text) {
    if (function_ == nullptr) return;
    while (!text.empty()) {
      const std::size_t comma = std::min(text.find(','), text.size());
      TakeItem(text.substr(0, comma));
      text.remove_prefix(std::min(comma + 1, text.size()));
    }
  }

  void TakeItem(std::string_view item) {
    struct Row {
      std::string_view pattern;
      void (*set)(LogResources&, u64);
    };
    // clang-format off
    static constexpr Row kRows[] = {
        {"registers",                   [](LogResources& r, u64 n) { r.registers = static_cast<u32>(n); }},
        {"barriers",                    [](LogResources& r, u64 n) { r.barriers = static_cast<u32>(n); }},
        {"bytes smem",                  [](LogResources& r, u64 n) { r.shared_bytes = n; }},
        {"bytes stack frame",           [](LogResources& r, u64 n) { r.frame_bytes = n; }},
        {"bytes cumulative stack size", [](LogResources& r, u64 n) { r.stack_bytes = n; }},
        {"bytes spill stores",          [](LogResources& r, u64 n) { r.spill_store_bytes = n; }},
        {"bytes spill loads",           [](LogResources& r, u64 n) { r.spill_load_bytes = n; }},
    };
    // clang-format on
    item.remove_prefix(std::min(item.find_first_of("0123456789"), item.size()));
    u64 number = 0;
    if (!ConsumeNumber(item, number) || !Consume(item, " ")) return;
    for (const Row& row : kRows)
      if (item == row.pattern) row.set(*function_, number);
    u32 bank = 0;
    if (Consume(item, "bytes cmem[") && ConsumeNumber(item, bank) && item == "]")
      function_->constant_bytes[bank] = number;
  }

  void TakeMessage(const Line& line) {
    const std::string_view message = line.message;
    if (message == "Ptx assembly aborted due to errors") return;
    if (message == "Memory allocation failure") {
      log_.out_of_memory = true;
      return;
    }
    if (message.starts_with("Internal error: writing file")) {
      log_.write_failed = true;
      return;
    }
    if (log_.diagnostics.size() >= kDiagnosticsMax) return;
    if (line.weight == Weight::kError) return TakeError(line);
    // "(C7508) Potential Performance Loss: …" counts as a warning whatever ptxas calls it; other
    // infos are for who reads the log.
    const bool advice = message.find("Potential Performance Loss") != std::string_view::npos;
    if (line.weight == Weight::kInfo && !advice) return;
    Add(line, Severity::kWarning, advice ? "performance" : "compiler-warning",
        std::string(message));
  }

  void TakeError(const Line& line) {
    KnownMessage known = FindMessage(line.message);
    LoggedDiagnostic& logged =
        Add(line, Severity::kError, known.row == nullptr ? "compiler-error" : known.row->kind,
            known.words);
    if (known.row != nullptr) logged.subject = known.row->subject;
    logged.name = std::move(known.name);
    logged.diagnostic.asked = known.asked;
    logged.diagnostic.allowed = known.allowed;
    if (known.line != 0) logged.diagnostic.place.line = known.line;
    outcomes_.push_back(known.row == nullptr ? action::Outcome::kInputError : known.row->outcome);
  }

  LoggedDiagnostic& Add(const Line& line, Severity severity, std::string_view kind,
                        const std::string& words) {
    Place place{.line = line.line};
    // Some messages end with their place.
    if (place.line == 0)
      if (const auto parts = Match("{} on line {}", line.message)) {
        std::string_view number = parts->back();
        ConsumeNumber(number, place.line);
      }
    log_.diagnostics.push_back({.diagnostic = {.severity = severity,
                                               .kind = std::string(kind),
                                               .message = Shortened(words, kMessageBytesMax),
                                               .place = place}});
    return log_.diagnostics.back();
  }

  // A module that breaks a limit may be right otherwise; a wrong one is wrong whatever else it is.
  action::Outcome Verdict() const {
    using enum action::Outcome;
    for (const action::Outcome outcome : {kInputError, kToolchainTooOld, kResourceLimit})
      if (std::find(outcomes_.begin(), outcomes_.end(), outcome) != outcomes_.end()) return outcome;
    return kOk;
  }

  CompilerLog& log_;
  LogResources* function_ = nullptr;
  std::vector<action::Outcome> outcomes_;
};

}  // namespace

CompilerLog ReadLog(std::string_view text) {
  CompilerLog log;
  Reader reader(log);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    reader.Take(line);
    if (IsClock(line)) continue;
    if (log.text.size() + line.size() < action::kLogBytesMax) (log.text += line) += '\n';
  }
  reader.Finish();
  return log;
}

}  // namespace ptxfarm::worker
