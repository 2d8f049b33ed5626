// PTXFARM_CHECK: for faults that are our own. It prints what was known and aborts, in release
// builds too: a compile farm that goes on with a broken invariant hands out wrong binaries.
#pragma once

#include <string_view>

namespace ptxfarm::internal {

[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              std::string_view state);

}  // namespace ptxfarm::internal

// The second argument, if any, is text for the reader of the core dump: `PTXFARM_CHECK(a == b,
// fmt::format(...))`.
#define PTXFARM_CHECK(condition, ...)                                    \
  do {                                                                   \
    if (!(condition)) [[unlikely]]                                       \
      ::ptxfarm::internal::CheckFailed(__FILE__, __LINE__, #condition,   \
                                       ::std::string_view{__VA_ARGS__}); \
  } while (false)
