#include "store/memory_tier.h"

namespace ptxfarm {

std::optional<MemoryTier::Hit> MemoryTier::Find(const Entry& entry) {
  const TimePoint now = clock_.Now();
  Shard& shard = ShardOf(entry);
  const std::lock_guard lock(shard.mutex);
  const auto* const item = shard.entries.Use(entry);
  ++(item != nullptr ? shard.hits : shard.misses);
  if (item == nullptr) return std::nullopt;
  return Hit{item->value.value, now - item->value.confirmed >= kFreshFor};
}

u64 MemoryTier::Removals(const Entry& entry) {
  Shard& shard = ShardOf(entry);
  const std::lock_guard lock(shard.mutex);
  return shard.removals;
}

void MemoryTier::Put(const Entry& entry, Value value, u64 bytes, u64 removals) {
  if (bytes > entry_bytes_max()) return;
  const TimePoint now = clock_.Now();
  Shard& shard = ShardOf(entry);
  const std::lock_guard lock(shard.mutex);
  if (shard.removals != removals) return;
  shard.entries.Put(entry, {std::move(value), now}, bytes + kEntryOverheadBytes);
  while (shard.entries.bytes() > shard_bytes_max_) {
    const Entry oldest = shard.entries.Oldest()->key;
    shard.entries.Remove(oldest);
  }
}

void MemoryTier::Confirm(const Entry& entry) {
  const TimePoint now = clock_.Now();
  Shard& shard = ShardOf(entry);
  const std::lock_guard lock(shard.mutex);
  if (auto* const item = shard.entries.Use(entry)) item->value.confirmed = now;
}

void MemoryTier::Remove(const Entry& entry) {
  Shard& shard = ShardOf(entry);
  const std::lock_guard lock(shard.mutex);
  shard.entries.Remove(entry);
  ++shard.removals;
}

MemoryTier::Figures MemoryTier::figures() {
  Figures figures;
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    figures.entries += shard.entries.size();
    figures.bytes += shard.entries.bytes();
    figures.hits += shard.hits;
    figures.misses += shard.misses;
  }
  return figures;
}

}  // namespace ptxfarm
