// A row of a table of limits: everything that the outside can grow has a bound, and its error names
// the bound.
#pragma once

#include <string_view>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm {

struct Limit {
  std::string_view name;  // As in configuration and messages: "source_bytes_max".
  u64 value;
  std::string_view why;

  // RESOURCE_EXHAUSTED: "source is 70000000 bytes; source_bytes_max is 67108864".
  Error Exceeded(std::string_view what, u64 found) const;
};

}  // namespace ptxfarm
