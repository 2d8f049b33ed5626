// What instructions do besides computing their destinations from their sources: a row a family.
#pragma once

#include <string_view>

#include "base/int.h"

namespace ptxfarm::ptx::isa {

enum class Effect : u8 {
  kNone,
  kReads,      // Memory that others write.
  kWrites,     // Memory, or starts a copy that does.
  kOrders,     // Memory accesses or threads: barriers, fences, waits.
  kConverges,  // Its result depends on which lanes execute it together.
  kChanges,    // Its result or its doing differs from time to time.
};

// "writes memory": for messages.
std::string_view Describe(Effect effect);

// The effect of a mnemonic, all words side by side: "ld.global.nc.u32" has none that another could
// disturb. kNone of what is no instruction.
Effect EffectOf(std::string_view mnemonic);

// Whether a special register's value may differ between two reads by one thread: %clock does.
bool IsChanging(std::string_view special_register);

}  // namespace ptxfarm::ptx::isa
