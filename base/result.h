// Result<T>: a value, or what went wrong outside of our control (disk, peer, limits, input).
//
// No exception crosses a library of ours; a function that can fail says so in its type. The members
// are those of std::expected, so that C++23 can replace the class by an alias.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/check.h"

namespace ptxfarm {

// gRPC's canonical codes, by the same numbers, so that a code means the same in the store and on
// the wire.
enum class Code {
  kOk = 0,  // Only as the status of a finished call; never the code of an Error.
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

// "NOT_FOUND", as gRPC writes it.
std::string_view CodeName(Code code);

struct [[nodiscard]] Error {
  Code code = Code::kUnknown;
  std::string
      message;  // What happened and what to do, for a person. No trailing period or newline.

  // The same error, with what we were doing put in front: "read action 3f…: blob missing".
  template <typename... Args>
  Error Wrap(fmt::format_string<Args...> format, Args&&... args) && {
    message = fmt::format(format, std::forward<Args>(args)...) + ": " + message;
    return std::move(*this);
  }

  // "NOT_FOUND: read action 3f…: blob missing"
  std::string ToString() const;

  friend bool operator==(const Error&, const Error&) = default;
};

// An Error of `code` whose message is formatted.
template <typename... Args>
Error MakeError(Code code, fmt::format_string<Args...> format, Args&&... args) {
  return Error{code, fmt::format(format, std::forward<Args>(args)...)};
}

// The code that fits an errno value, and "open /x: No such file or directory" as message.
Error ErrnoError(int errno_value, std::string_view what);

template <typename T, typename E = Error>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = E;

  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by intent
  Result(E error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by intent

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return Checked(*this); }
  const T& value() const& { return Checked(*this); }
  T&& value() && { return std::move(Checked(*this)); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  E& error() & { return CheckedError(*this); }
  const E& error() const& { return CheckedError(*this); }
  E&& error() && { return std::move(CheckedError(*this)); }

  template <typename U>
  T value_or(U&& other) const& {
    return has_value() ? **this : static_cast<T>(std::forward<U>(other));
  }
  template <typename U>
  T value_or(U&& other) && {
    return has_value() ? std::move(**this) : static_cast<T>(std::forward<U>(other));
  }

 private:
  template <typename Self>
  static auto& Checked(Self& self) {
    PTXFARM_CHECK(self.has_value(), "value() of a Result that holds an error");
    return std::get<0>(self.state_);
  }
  template <typename Self>
  static auto& CheckedError(Self& self) {
    PTXFARM_CHECK(!self.has_value(), "error() of a Result that holds a value");
    return std::get<1>(self.state_);
  }

  std::variant<T, E> state_;
};

// What a Result<Ok> holds when there is nothing to say but that it went well.
struct Ok {
  friend bool operator==(Ok, Ok) = default;
};
using Status = Result<Ok>;

}  // namespace ptxfarm

#define PTXFARM_CONCAT_INNER(a, b) a##b
#define PTXFARM_CONCAT(a, b) PTXFARM_CONCAT_INNER(a, b)

// PTXFARM_ASSIGN_OR_RETURN(const Blob blob, store.Get(digest)): the value, or the error goes up to
// the caller.
#define PTXFARM_ASSIGN_OR_RETURN(declaration, ...) \
  PTXFARM_ASSIGN_OR_RETURN_IMPL(PTXFARM_CONCAT(result_, __LINE__), declaration, __VA_ARGS__)
#define PTXFARM_ASSIGN_OR_RETURN_IMPL(result, declaration, ...) \
  auto result = (__VA_ARGS__);                                  \
  if (!result) return std::move(result).error();                \
  declaration = *std::move(result)

// PTXFARM_RETURN_IF_ERROR(store.Put(blob)): for calls whose value isn't needed.
#define PTXFARM_RETURN_IF_ERROR(...)                          \
  do {                                                        \
    if (auto ptxfarm_result = (__VA_ARGS__); !ptxfarm_result) \
      return std::move(ptxfarm_result).error();               \
  } while (false)
