// Blobs and action records in memory, in the form in which they travel: what the two wrappers of
// with_memory_tier.h share.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>

#include "base/clock.h"
#include "store/action_cache.h"
#include "store/blob.h"
#include "store/entry.h"
#include "store/lru_map.h"

namespace ptxfarm {

// Bounded by bytes, least recently used goes first. In shards, so that threads seldom meet. Safe to
// call from many threads at once.
class MemoryTier {
 public:
  using Value = std::variant<std::shared_ptr<const Blob>, std::shared_ptr<const ActionRecord>>;

  struct Hit {
    Value value;
    bool stale =
        false;  // Wasn't confirmed for kFreshFor: ask the store below whether it still is so.
  };

  struct Figures {
    u64 entries = 0;
    u64 bytes = 0;
    u64 hits = 0;
    u64 misses = 0;
  };

  // How long an entry is taken to be in the store below without asking. Asking tells that one too
  // that the entry is in use: else it would evict what everybody asks for, since it never hears of
  // it.
  static constexpr std::chrono::seconds kFreshFor{30};

  MemoryTier(u64 bytes_max, const Clock& clock)
      : shard_bytes_max_(bytes_max / kShards), clock_(clock) {}

  // Stored bytes of an entry at most; what is bigger isn't taken in, so that one doesn't drive out
  // a shard.
  u64 entry_bytes_max() const { return shard_bytes_max_ / 4; }

  std::optional<Hit> Find(const Entry& entry);
  // Rises whenever an entry near this one is removed: to be read before asking the store below.
  u64 Removals(const Entry& entry);
  // Takes in what the store below said after Removals was `removals`; not, if it may have been
  // removed since.
  void Put(const Entry& entry, Value value, u64 bytes, u64 removals);
  // The store below said that it still is so.
  void Confirm(const Entry& entry);
  void Remove(const Entry& entry);

  Figures figures();

 private:
  struct Held {
    Value value;
    TimePoint confirmed;
  };
  struct Shard {
    std::mutex mutex;
    LruMap<Entry, Held> entries;
    u64 removals = 0;
    u64 hits = 0;
    u64 misses = 0;
  };

  static constexpr std::size_t kShards = 16;
  Shard& ShardOf(const Entry& entry) { return shards_[entry.digest.sha256[31] % kShards]; }

  const u64 shard_bytes_max_;
  const Clock& clock_;
  std::array<Shard, kShards> shards_;
};

}  // namespace ptxfarm
