// Checks the asm statements of CUDA C++ as PTX: what the compiler pastes into its output unread.
#pragma once

#include <vector>

#include "toolchain/ptx/source.h"
#include "toolchain/target/target.h"

namespace ptxfarm::ptx {

struct InlineOptions {
  // Each statement must be right for all of them; none: for any target that there is.
  std::vector<Target> targets;
};

struct InlineCheckResult {
  bool is_accepted = false;  // No error.
  Diagnostics diagnostics;   // In order of place, which is one of the C++ source; up to a bound.
  u32 statements_count = 0;  // That were checked.
  u32 skipped_count = 0;     // Each has a note that says why.
};

// Finds the statements (find_statements.h) and checks each: its constraints and clobbers, the
// instructions by the tables of PTX with operands as typed registers, what each operand is used
// for, what the statement does that `volatile` or "memory" must tell, and what happens where the
// template is pasted twice. A statement under a condition on the architecture must be right for one
// of the targets only.
//
//   source  C++, or what stands between the parentheses of one statement
//
// Any bytes are taken. Linear in the source and its templates. Safe to call from many threads.
InlineCheckResult CheckInline(const Source& source, const InlineOptions& options = {});

}  // namespace ptxfarm::ptx
