// What a construct asks of the module that holds it: a version and a target.
#pragma once

#include "toolchain/target/target.h"

namespace ptxfarm::ptx {

// Versions from `since` to `until` ({0, 0}: no end), targets from sm_`target_min` on. No directive
// and no special register is for one family or architecture only.
struct Gate {
  PtxVersion since{1, 0};
  u16 target_min = 0;  // 0: every target.
  PtxVersion until{};

  constexpr bool HasEnd() const { return until.major != 0; }
};

}  // namespace ptxfarm::ptx
