// Keeps a local tier within its bound, away from the path of any call.
#pragma once

#include <functional>
#include <string>

#include "base/digest.h"
#include "base/result.h"
#include "client/dropin/tier/local_tier.h"
#include "client/dropin/tier/record.h"

namespace ptxfarm::dropin {

struct TierUse {
  u64 results = 0;
  u64 bytes = 0;
};

// Counts all results. Files that come and go meanwhile may be counted or not.
TierUse UseOf(const LocalTier& tier);

// Removes the results that weren't used for longest until the rest takes at most 9/10 of
// `bytes_max`, and what killed processes left behind. Nothing is removed below `bytes_max`. One
// process at a time; a second one returns at once.
Status Trim(const LocalTier& tier, u64 bytes_max);

// Does that in a process of its own, which outlives the caller, where the counters say that it is
// time.
void TrimInBackground(const LocalTier& tier, u64 bytes_max);

// Removes every result, note and leftover. Calls that go on meanwhile may leave new ones.
Status Clear(const LocalTier& tier);

// Visits every file of a result: its name's key and its bytes as they lie there, read or not
// readable (empty). True: remove it. Returns how many were removed.
using VisitResult = std::function<bool(const Sha256& key, const std::optional<Record>& record)>;
u64 RemoveResultsIf(const LocalTier& tier, const VisitResult& visit);

}  // namespace ptxfarm::dropin
