// What an option's row is bound to: a field of a plain struct, with the kind of text that it takes.
//
// The maker functions are named for what a user writes: `Bytes(&options.store_bytes_max, {kMiB,
// kTiB})`. The default is what the field holds when the row is made, so it stands once, in the
// struct.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"
#include "base/result.h"
#include "config/units.h"

namespace ptxfarm::config {

enum class Kind : u8 { kText, kFile, kFolder, kFlag, kCount, kReal, kBytes, kDuration, kChoice };

class Value {
 public:
  // Puts one text into the field. The error says what is wrong with it; what is allowed is
  // `allowed()`.
  using SetFunction = std::function<Status(std::string_view text)>;

  Value(Kind kind, SetFunction set) : kind_(kind), set_(std::move(set)) {}

  // Sets the field from what one source gave: a list takes every text (and forgets its default),
  // all else the last. INVALID_ARGUMENT: "'10' has no unit of …; allowed: a duration from 1s to
  // 1h".
  Status Assign(std::span<const std::string> texts) const;

  Kind kind() const { return kind_; }
  bool is_list() const { return clear_ != nullptr; }
  bool is_flag() const { return kind_ == Kind::kFlag; }
  // "a size from 1MiB to 1TiB"
  const std::string& allowed() const { return allowed_; }
  // The default as a user would write it, empty where there is none.
  const std::string& default_text() const { return default_text_; }
  const std::vector<std::string>& choices() const { return choices_; }

  // For the maker functions.
  Value& SetAllowed(std::string allowed);
  Value& SetDefault(std::string text);
  Value& SetChoices(std::vector<std::string> choices);
  Value& SetClear(std::function<void()> clear);

 private:
  Kind kind_;
  SetFunction set_;
  std::function<void()> clear_;
  std::string allowed_;
  std::string default_text_;
  std::vector<std::string> choices_;
};

// Both ends are allowed.
template <typename T>
struct Range {
  T min = std::numeric_limits<T>::min();
  T max = std::numeric_limits<T>::max();
};
template <typename Rep, typename Period>
struct Range<std::chrono::duration<Rep, Period>> {
  std::chrono::duration<Rep, Period> min{0};
  // The longest that fits into nanoseconds, in which durations are read.
  std::chrono::duration<Rep, Period> max =
      std::chrono::floor<std::chrono::duration<Rep, Period>>(std::chrono::nanoseconds::max());
};

Value Text(std::string* field);
// A path. The shell completes it as a file; whether it exists is for who opens it.
Value File(std::string* field);
Value Folder(std::string* field);
// --x and --no-x; in the environment true, yes, on, 1 or false, no, off, 0.
Value Flag(bool* field);
Value Real(double* field, double min, double max);
Value Bytes(u64* field, Range<u64> range = {});

// Lists: the flag is given several times, or once with commas; commas in the environment; an array
// in the file.
Value List(std::vector<std::string>* field);
Value ListOfFiles(std::vector<std::string>* field);
Value ListOf(std::vector<std::string>* field, std::vector<std::string> choices);

template <typename Enum>
struct Named {
  std::string_view name;
  Enum value;
};

namespace internal {
Value CountOf(Range<u64> range, u64 now, std::function<void(u64)> set);
Value DurationOf(Range<std::chrono::nanoseconds> range, std::chrono::nanoseconds now,
                 std::chrono::nanoseconds resolution,
                 std::function<void(std::chrono::nanoseconds)> set);
Value ChoiceOf(std::vector<std::string> names, std::string now,
               std::function<void(std::size_t)> set);
}  // namespace internal

// How many of something: a number without unit.
template <std::unsigned_integral T>
Value Count(T* field, Range<T> range = {}) {
  return internal::CountOf({range.min, range.max}, *field,
                           [field](u64 value) { *field = static_cast<T>(value); });
}
template <std::signed_integral T>
Value Count(T* field, Range<T> range = {0, std::numeric_limits<T>::max()}) {
  PTXFARM_CHECK(range.min >= 0, "counts aren't negative");
  return internal::CountOf({static_cast<u64>(range.min), static_cast<u64>(range.max)},
                           static_cast<u64>(std::max<T>(*field, 0)),
                           [field](u64 value) { *field = static_cast<T>(value); });
}

// Refuses what the field can't hold: 1ms for a field of seconds.
template <typename D>
Value Duration(D* field, Range<D> range = {}) {
  return internal::DurationOf(
      {range.min, range.max}, *field, D(1),
      [field](std::chrono::nanoseconds value) { *field = std::chrono::duration_cast<D>(value); });
}

// One of a few words. `Choice<Color>(&options.color, {{"auto", Color::kAuto}, …})`
template <typename Enum>
Value Choice(Enum* field, std::vector<Named<Enum>> choices) {
  std::vector<std::string> names;
  std::string now;
  for (const Named<Enum>& choice : choices) {
    names.emplace_back(choice.name);
    if (choice.value == *field) now = choice.name;
  }
  return internal::ChoiceOf(
      std::move(names), std::move(now),
      [field, choices = std::move(choices)](std::size_t index) { *field = choices[index].value; });
}

}  // namespace ptxfarm::config
