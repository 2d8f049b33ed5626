// What happened in a local tier, counted by all processes that use it.
//
// One small file, mapped and added to without a lock: a few microseconds a process. Processes of
// several machines on one NFS may lose a count to each other, which harms nobody: a figure for
// people, and a hint for when to look how large the tier is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/int.h"

namespace ptxfarm::dropin {

enum class Counter : u8 {
  kHit,      // Served from the tier.
  kJoined,   // Another process was at it; its result was waited for.
  kFarm,     // Compiled, or found, by a farm.
  kTool,     // Compiled by the toolkit of this machine.
  kPassed,   // Not for the tier: the tool itself ran instead.
  kDamaged,  // Files that were no records of their key, and were dropped.
  kEvicted,  // Results removed to keep the tier within its bound.
  kBytes,    // Of all results, about; the next trim counts anew.
  // Calls of nvcc as a whole; the steps that one runs count as above.
  kNvccHit,
  kNvccMiss,
  kNvccPassed,
  kCiccHit,
  kCiccMiss,
  kCiccPassed,
};

struct CounterRow {
  Counter counter;
  std::string_view name;     // As in JSON: "hits".
  std::string_view meaning;  // For people.
};

std::span<const CounterRow> CounterRows();

class Counters {
 public:
  // Makes the file where it isn't. Nothing where that can't be: then nothing is counted.
  static std::optional<Counters> Open(const std::string& path);
  Counters(Counters&& other) noexcept;
  Counters& operator=(Counters&&) = delete;
  ~Counters();

  // Returns the new value.
  u64 Add(Counter counter, i64 difference);
  void Set(Counter counter, u64 value);
  u64 Get(Counter counter) const;

 private:
  explicit Counters(u64* values) : values_(values) {}
  u64* values_;
};

}  // namespace ptxfarm::dropin
