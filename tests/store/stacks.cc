#include "tests/store/stacks.h"

#include "store/memory_store.h"
#include "store/observer.h"
#include "store/rocks/rocks_store.h"
#include "store/with_digest_check.h"
#include "store/with_memory_tier.h"
#include "store/with_observer.h"
#include "store/with_size_limit.h"

namespace ptxfarm::test {
namespace {

Result<BackendParts> Memory(const StackOptions& options, const Clock& clock) {
  return MakeMemoryStore({.bytes_max = options.bytes_max, .age_max = options.age_max}, clock);
}

Result<BackendParts> Rocks(const StackOptions& options, const Clock& clock) {
  return rocks::OpenRocks(
      {.path = options.path, .bytes_max = options.bytes_max, .age_max = options.age_max}, clock);
}

Result<BackendParts> Synced(const StackOptions& options, const Clock& clock) {
  return rocks::OpenRocks({.path = options.path,
                           .bytes_max = options.bytes_max,
                           .age_max = options.age_max,
                           .sync_actions = true},
                          clock);
}

BackendParts Checked(BackendParts parts) {
  parts.blobs = WithDigestCheck(std::move(parts.blobs), parts.backend.get());
  return parts;
}

Result<BackendParts> CheckedMemory(const StackOptions& options, const Clock& clock) {
  PTXFARM_ASSIGN_OR_RETURN(BackendParts parts, Memory(options, clock));
  return Checked(std::move(parts));
}

BackendParts Tiered(BackendParts parts, u64 tier_bytes, const Clock& clock) {
  const auto tier = std::make_shared<MemoryTier>(tier_bytes, clock);
  parts.blobs = WithMemoryTier(std::move(parts.blobs), tier);
  parts.actions = WithMemoryTier(std::move(parts.actions), tier, clock);
  return parts;
}

Result<BackendParts> TieredRocks(const StackOptions& options, const Clock& clock) {
  PTXFARM_ASSIGN_OR_RETURN(BackendParts parts, Rocks(options, clock));
  return Tiered(Checked(std::move(parts)), u64{64} << 20, clock);
}

// So small that most pass it by and the others push each other out.
Result<BackendParts> ThinlyTieredMemory(const StackOptions& options, const Clock& clock) {
  PTXFARM_ASSIGN_OR_RETURN(BackendParts parts, Memory(options, clock));
  return Tiered(std::move(parts), u64{64} << 10, clock);
}

class Nobody final : public StoreObserver {
 public:
  void Observe(const StoreObservation&) override {}
  void Isolated(const Sha256&, std::string_view) override {}
  void Warned(std::string_view) override {}
};

// In the order in which stores.cc puts them together.
Result<BackendParts> AllWrappers(const StackOptions& options, const Clock& clock) {
  static Nobody nobody;
  PTXFARM_ASSIGN_OR_RETURN(BackendParts parts, Rocks(options, clock));
  const Limit limit{"bytes_max", u64{64} << 20, "for the test"};
  parts.blobs = WithSizeLimit(std::move(parts.blobs), limit);
  parts.actions = WithSizeLimit(std::move(parts.actions), limit);
  parts = Tiered(Checked(std::move(parts)), u64{16} << 20, clock);
  parts.blobs = WithObserver(std::move(parts.blobs), nobody, clock);
  parts.actions = WithObserver(std::move(parts.actions), nobody, clock);
  return parts;
}

}  // namespace

const std::vector<Stack>& Stacks() {
  static const std::vector<Stack> stacks = {
      {"Memory", Memory},
      {"CheckedMemory", CheckedMemory, /*checks_digests=*/true},
      {"ThinlyTieredMemory", ThinlyTieredMemory},
      {"Rocks", Rocks, false, /*persists=*/true},
      {"SyncedRocks", Synced, false, true},
      {"TieredRocks", TieredRocks, true, true},
      {"AllWrappers", AllWrappers, true, true},
  };
  return stacks;
}

}  // namespace ptxfarm::test
