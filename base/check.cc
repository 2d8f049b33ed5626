#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace ptxfarm::internal {

void CheckFailed(const char* file, int line, const char* condition, std::string_view state) {
  std::fprintf(stderr, "%s:%d: CHECK failed: %s%s%.*s\n", file, line, condition,
               state.empty() ? "" : ": ", static_cast<int>(state.size()), state.data());
  std::fflush(stderr);
  std::abort();
}

}  // namespace ptxfarm::internal
