#include "config/value.h"

#include <charconv>
#include <cmath>

#include "config/suggest.h"

namespace ptxfarm::config {

Status Value::Assign(std::span<const std::string> texts) const {
  if (is_list()) {
    clear_();
  } else if (texts.size() > 1) {
    texts = texts.last(1);
  }
  for (const std::string& text : texts) {
    Status set = set_(text);
    if (set) continue;
    if (!allowed_.empty()) set.error().message += "; allowed: " + allowed_;
    return set;
  }
  return Ok{};
}

Value& Value::SetAllowed(std::string allowed) {
  allowed_ = std::move(allowed);
  return *this;
}

Value& Value::SetDefault(std::string text) {
  default_text_ = std::move(text);
  return *this;
}

Value& Value::SetChoices(std::vector<std::string> choices) {
  choices_ = std::move(choices);
  return *this;
}

Value& Value::SetClear(std::function<void()> clear) {
  clear_ = std::move(clear);
  return *this;
}

namespace {

// "A" to "B", leaving out ends that no one would meet.
std::string RangeText(std::string_view what, const std::string& min, const std::string& max,
                      bool has_min, bool has_max) {
  if (has_min && has_max) return fmt::format("{} from {} to {}", what, min, max);
  if (has_min) return fmt::format("{} of {} or more", what, min);
  if (has_max) return fmt::format("{} up to {}", what, max);
  return std::string(what);
}

template <typename T>
Status InRange(std::string_view text, T value, T min, T max) {
  if (value < min) return MakeError(Code::kInvalidArgument, "'{}' is too small", text);
  if (value > max) return MakeError(Code::kInvalidArgument, "'{}' is too large", text);
  return Ok{};
}

Value TextOf(Kind kind, std::string* field) {
  return Value(kind,
               [field](std::string_view text) -> Status {
                 if (text.find('\0') != std::string_view::npos)
                   return Error{Code::kInvalidArgument, "the text has a NUL in it"};
                 *field = text;
                 return Ok{};
               })
      .SetDefault(*field);
}

std::string Joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string joined;
  for (const std::string& word : words)
    joined += (joined.empty() ? std::string() : std::string(separator)) + word;
  return joined;
}

Value ListOfKind(Kind kind, std::vector<std::string>* field, std::vector<std::string> choices) {
  Value value(kind, [field, choices](std::string_view text) -> Status {
    if (text.empty()) return Error{Code::kInvalidArgument, "an element of the list is empty"};
    const std::string word(text);
    if (!choices.empty() && std::find(choices.begin(), choices.end(), word) == choices.end())
      return MakeError(Code::kInvalidArgument, "'{}' is none of them{}", word,
                       DidYouMean(word, choices));
    field->push_back(word);
    return Ok{};
  });
  value.SetDefault(Joined(*field, ",")).SetClear([field] { field->clear(); });
  if (!choices.empty()) value.SetAllowed(Joined(choices, ", "));
  return value.SetChoices(std::move(choices));
}

}  // namespace

Value Text(std::string* field) { return TextOf(Kind::kText, field); }
Value File(std::string* field) { return TextOf(Kind::kFile, field); }
Value Folder(std::string* field) { return TextOf(Kind::kFolder, field); }

Value Flag(bool* field) {
  return Value(Kind::kFlag,
               [field](std::string_view text) -> Status {
                 for (const std::string_view yes : {"true", "yes", "on", "1"}) {
                   if (text == yes) return *field = true, Ok{};
                 }
                 for (const std::string_view no : {"false", "no", "off", "0"}) {
                   if (text == no) return *field = false, Ok{};
                 }
                 return MakeError(Code::kInvalidArgument, "'{}' is neither true nor false", text);
               })
      .SetAllowed("true or false")
      .SetDefault(*field ? "true" : "false");
}

Value Real(double* field, double min, double max) {
  return Value(Kind::kReal,
               [=](std::string_view text) -> Status {
                 double value = 0;
                 const char* const text_end = text.data() + text.size();
                 const auto [end, error] = std::from_chars(text.data(), text_end, value);
                 if (error != std::errc() || end != text_end || !std::isfinite(value))
                   return MakeError(Code::kInvalidArgument, "'{}' isn't a number", text);
                 PTXFARM_RETURN_IF_ERROR(InRange(text, value, min, max));
                 *field = value;
                 return Ok{};
               })
      .SetAllowed(fmt::format("a number from {} to {}", min, max))
      .SetDefault(fmt::format("{}", *field));
}

Value Bytes(u64* field, Range<u64> range) {
  return Value(Kind::kBytes,
               [=](std::string_view text) -> Status {
                 PTXFARM_ASSIGN_OR_RETURN(const u64 value, ParseBytes(text));
                 PTXFARM_RETURN_IF_ERROR(InRange(text, value, range.min, range.max));
                 *field = value;
                 return Ok{};
               })
      .SetAllowed(RangeText("a size", FormatBytes(range.min), FormatBytes(range.max),
                            range.min != 0, range.max != std::numeric_limits<u64>::max()))
      .SetDefault(FormatBytes(*field));
}

Value List(std::vector<std::string>* field) { return ListOfKind(Kind::kText, field, {}); }
Value ListOfFiles(std::vector<std::string>* field) { return ListOfKind(Kind::kFile, field, {}); }
Value ListOf(std::vector<std::string>* field, std::vector<std::string> choices) {
  return ListOfKind(Kind::kChoice, field, std::move(choices));
}

namespace internal {

Value CountOf(Range<u64> range, u64 now, std::function<void(u64)> set) {
  return Value(Kind::kCount,
               [range, set = std::move(set)](std::string_view text) -> Status {
                 PTXFARM_ASSIGN_OR_RETURN(const u64 value, ParseCount(text));
                 PTXFARM_RETURN_IF_ERROR(InRange(text, value, range.min, range.max));
                 set(value);
                 return Ok{};
               })
      .SetAllowed(RangeText("a whole number", std::to_string(range.min), std::to_string(range.max),
                            range.min != 0, range.max < std::numeric_limits<i32>::max()))
      .SetDefault(std::to_string(now));
}

Value DurationOf(Range<std::chrono::nanoseconds> range, std::chrono::nanoseconds now,
                 std::chrono::nanoseconds resolution,
                 std::function<void(std::chrono::nanoseconds)> set) {
  // A year is further than any time of ours: beyond it the end isn't worth a word.
  const bool has_max = range.max < std::chrono::hours(24 * 365);
  return Value(Kind::kDuration,
               [=, set = std::move(set)](std::string_view text) -> Status {
                 PTXFARM_ASSIGN_OR_RETURN(const std::chrono::nanoseconds value,
                                          ParseDuration(text));
                 PTXFARM_RETURN_IF_ERROR(InRange(text, value, range.min, range.max));
                 if (value % resolution != std::chrono::nanoseconds(0))
                   return MakeError(Code::kInvalidArgument, "'{}' isn't a multiple of {}", text,
                                    FormatDuration(resolution));
                 set(value);
                 return Ok{};
               })
      .SetAllowed(RangeText("a duration (10s, 250ms)", FormatDuration(range.min),
                            FormatDuration(range.max), range.min.count() > 0, has_max))
      .SetDefault(FormatDuration(now));
}

Value ChoiceOf(std::vector<std::string> names, std::string now,
               std::function<void(std::size_t)> set) {
  Value value(Kind::kChoice, [names, set = std::move(set)](std::string_view text) -> Status {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end())
      return MakeError(Code::kInvalidArgument, "'{}' is none of them{}", text,
                       DidYouMean(text, names));
    set(static_cast<std::size_t>(found - names.begin()));
    return Ok{};
  });
  return value.SetAllowed(Joined(names, ", "))
      .SetDefault(std::move(now))
      .SetChoices(std::move(names));
}

}  // namespace internal
}  // namespace ptxfarm::config
