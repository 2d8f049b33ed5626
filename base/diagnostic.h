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

// Another place that has to do with a fault: "declared here".
struct RelatedPlace {
  Place place;
  u32 length = 0;
  std::string message;

  friend bool operator==(const RelatedPlace&, const RelatedPlace&) = default;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string kind;     // Stable word for programs: "needs-target", "toolchain-too-old".
  std::string message;  // What was written and what would be right; one line.
  Place place;
  u32 length = 0;  // Of what is marked, in bytes from `place` on; 0 where only a point is known.
  std::string section;  // Of the PTX manual, whose rule it is: "9.7.1.1"; may be empty.
  std::string hint;     // What to write instead: "did you mean '%r1'?"; may be empty.
  std::vector<RelatedPlace> related;
  // Where a limit was exceeded: how much was asked for, and how much is allowed, in the unit that
  // the message names; both 0 elsewhere.
  u64 asked = 0;
  u64 allowed = 0;

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

// "k.ptx:7:5: error: 'fma.bf16' needs sm_80 or later [needs-target] (PTX ISA §9.7.4.4)". A hint
// stands behind the message.
std::string Format(const Diagnostic& diagnostic, const std::string& file);

}  // namespace ptxfarm
