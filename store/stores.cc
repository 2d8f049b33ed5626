#include "store/stores.h"

#include "store/memory_store.h"
#include "store/rocks/rocks_store.h"
#include "store/with_digest_check.h"
#include "store/with_memory_tier.h"
#include "store/with_observer.h"
#include "store/with_size_limit.h"

namespace ptxfarm {
namespace {

Result<BackendParts> OpenBackend(const StoreOptions& options, const Clock& clock,
                                 StoreObserver* observer) {
  if (options.path.empty())
    return MakeMemoryStore(
        {.bytes_max = options.bytes_max, .age_max = options.age_max, .observer = observer}, clock);
  return rocks::OpenRocks({.path = options.path,
                           .bytes_max = options.bytes_max,
                           .age_max = options.age_max,
                           .cache_bytes = options.cache_bytes,
                           .sync_actions = options.sync_actions,
                           .observer = observer},
                          clock);
}

class WrappedStore final : public Store {
 public:
  WrappedStore(BackendParts parts, std::shared_ptr<MemoryTier> tier)
      : parts_(std::move(parts)), tier_(std::move(tier)) {}

  BlobStore& blobs() override { return *parts_.blobs; }
  ActionCache& actions() override { return *parts_.actions; }
  FactStore& facts() override { return *parts_.facts; }

  Result<std::optional<Digest>> FindBlob(const Sha256& sha256) override {
    return parts_.backend->FindBlob(sha256);
  }

  StoreFigures Figures() override {
    StoreFigures figures = parts_.backend->Figures();
    if (tier_ == nullptr) return figures;
    const MemoryTier::Figures tier = tier_->figures();
    figures.memory_entries = tier.entries;
    figures.memory_bytes = tier.bytes;
    figures.memory_hits = tier.hits;
    figures.memory_misses = tier.misses;
    return figures;
  }

  Status Flush() override { return parts_.backend->Flush(); }
  Status Close() override { return parts_.backend->Close(); }

 private:
  BackendParts parts_;
  const std::shared_ptr<MemoryTier> tier_;  // Null where there is none.
};

}  // namespace

Result<std::unique_ptr<Store>> OpenStore(const StoreOptions& options, const Clock& clock,
                                         StoreObserver* observer) {
  const Limit blob_limit{"blob_bytes_max", options.blob_bytes_max,
                         "one blob must not be the store"};
  const Limit action_limit{"action_bytes_max", options.action_bytes_max,
                           "records are read whole; what is big is a blob"};
  PTXFARM_ASSIGN_OR_RETURN(BackendParts parts, OpenBackend(options, clock, observer));
  // From the inside out.
  parts.blobs = WithSizeLimit(std::move(parts.blobs), blob_limit);
  parts.actions = WithSizeLimit(std::move(parts.actions), action_limit);
  parts.blobs = WithDigestCheck(std::move(parts.blobs), parts.backend.get(),
                                options.path.empty() ? DigestChecks::kIn : DigestChecks::kInAndOut);
  std::shared_ptr<MemoryTier> tier;
  // What is in memory anyway needs no tier.
  if (options.memory_bytes_max != 0 && !options.path.empty()) {
    tier = std::make_shared<MemoryTier>(options.memory_bytes_max, clock);
    parts.blobs = WithMemoryTier(std::move(parts.blobs), tier);
    parts.actions = WithMemoryTier(std::move(parts.actions), tier, clock);
  }
  if (observer != nullptr) {
    parts.blobs = WithObserver(std::move(parts.blobs), *observer, clock);
    parts.actions = WithObserver(std::move(parts.actions), *observer, clock);
  }
  return std::unique_ptr<Store>(std::make_unique<WrappedStore>(std::move(parts), std::move(tier)));
}

}  // namespace ptxfarm
