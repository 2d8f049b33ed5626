// What is wrong with a user's module: one fault, one diagnostic.
#pragma once

#include <string>
#include <vector>

#include "base/int.h"

namespace ptxfarm {

enum class Severity : u8 { kError, kWarning, kNote };

// Lines and columns count from 1, columns in bytes; 0 means that the place isn't known.
struct Place {
  u32 line = 0;
  u32 column = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string kind;     // Stable word for programs: "needs-target", "toolchain-too-old".
  std::string message;  // What was written and what would be right; one line.
  Place place;

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

// "k.ptx:7:5: error: 'fma.bf16' needs sm_80 or later [needs-target]"
std::string Format(const Diagnostic& diagnostic, const std::string& file);

}  // namespace ptxfarm
