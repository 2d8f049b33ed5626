// What the farm said of itself, kept for machines without a toolkit: whose compiler answers.
//
// A key needs the compiler's identity, and without a toolkit only the farm knows it. What it said
// is good for ten minutes; then the next call asks again, and only where the farm doesn't answer is
// the old one taken: its results are right results, of that compiler. Another server, token or
// config file is another farm.
#pragma once

#include <optional>
#include <string>

#include "base/digest.h"
#include "client/dropin/tier/local_tier.h"

namespace ptxfarm::dropin {

inline constexpr i64 kFarmCompilerSeconds = 600;

struct FarmCompiler {
  Sha256 sha256{};
  std::string version;  // "13.0.88"
  bool is_old = false;
};

std::optional<FarmCompiler> RememberedCompiler(const LocalTier& tier);
void RememberCompiler(const LocalTier& tier, const FarmCompiler& compiler);

// That the farm didn't answer: for half a minute nobody waits for it again, or says so again.
inline constexpr i64 kFarmAwaySeconds = 30;
bool IsFarmAway(const LocalTier& tier);
void RememberAway(const LocalTier& tier, bool away);

// That the farm hasn't this very compiler: for a minute nobody sends it a text in vain.
inline constexpr i64 kFarmLacksSeconds = 60;
bool FarmLacks(const LocalTier& tier, const Sha256& compiler);
void RememberLacking(const LocalTier& tier, const Sha256& compiler);

}  // namespace ptxfarm::dropin
