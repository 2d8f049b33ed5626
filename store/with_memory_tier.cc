#include "store/with_memory_tier.h"

namespace ptxfarm {
namespace {

using BlobPointer = std::shared_ptr<const Blob>;
using RecordPointer = std::shared_ptr<const ActionRecord>;

// Takes along what passes, while it is small enough to be kept.
class KeepingWriter final : public BlobWriter {
 public:
  KeepingWriter(std::unique_ptr<BlobWriter> inner, const Digest& digest,
                std::shared_ptr<MemoryTier> tier)
      : inner_(std::move(inner)), tier_(std::move(tier)), blob_{.digest = digest} {}

  Status Append(Chunk chunk) override {
    if (chunk.bytes != nullptr) bytes_ += chunk.bytes->size();
    if (bytes_ <= tier_->entry_bytes_max()) {
      blob_.chunks.push_back(chunk);
    } else {
      blob_.chunks.clear();
    }
    return inner_->Append(std::move(chunk));
  }

  Status Commit() override {
    PTXFARM_RETURN_IF_ERROR(inner_->Commit());
    const Entry entry = BlobEntry(blob_.digest);
    if (bytes_ <= tier_->entry_bytes_max())
      tier_->Put(entry, std::make_shared<const Blob>(std::move(blob_)), bytes_,
                 tier_->Removals(entry));
    return Ok{};
  }

 private:
  const std::unique_ptr<BlobWriter> inner_;
  const std::shared_ptr<MemoryTier> tier_;
  Blob blob_;
  u64 bytes_ = 0;
};

class MemoryTierBlobStore final : public BlobStore {
 public:
  MemoryTierBlobStore(std::unique_ptr<BlobStore> inner, std::shared_ptr<MemoryTier> tier)
      : inner_(std::move(inner)), tier_(std::move(tier)) {}

  Result<Blob> Get(const Digest& digest) override {
    if (const BlobPointer blob = Find(digest)) return *blob;
    PTXFARM_ASSIGN_OR_RETURN(Blob blob, inner_->Get(digest));
    Keep(blob);
    return blob;
  }

  Status Put(const Blob& blob) override {
    if (Find(blob.digest) != nullptr) return Ok{};
    PTXFARM_RETURN_IF_ERROR(inner_->Put(blob));
    Keep(blob);
    return Ok{};
  }

  Result<std::unique_ptr<BlobReader>> Open(const Digest& digest) override {
    // By its plain size, as the stored one isn't known yet.
    if (digest.size_bytes > tier_->entry_bytes_max()) {
      const BlobPointer blob = Find(digest);
      if (blob == nullptr) return inner_->Open(digest);
      return std::unique_ptr<BlobReader>(std::make_unique<ChunkReader>(blob->chunks));
    }
    PTXFARM_ASSIGN_OR_RETURN(Blob blob, Get(digest));
    return std::unique_ptr<BlobReader>(std::make_unique<ChunkReader>(std::move(blob.chunks)));
  }

  Result<std::unique_ptr<BlobWriter>> Create(const Digest& digest) override {
    PTXFARM_ASSIGN_OR_RETURN(std::unique_ptr<BlobWriter> writer, inner_->Create(digest));
    return std::unique_ptr<BlobWriter>(
        std::make_unique<KeepingWriter>(std::move(writer), digest, tier_));
  }

  Result<std::vector<Digest>> FindMissing(std::span<const Digest> digests) override {
    std::vector<Digest> unknown;
    for (const Digest& digest : digests)
      if (Find(digest) == nullptr) unknown.push_back(digest);
    if (unknown.empty()) return unknown;
    return inner_->FindMissing(unknown);
  }

 private:
  // Null where it isn't held, or isn't in the store below any more.
  BlobPointer Find(const Digest& digest) {
    const Entry entry = BlobEntry(digest);
    const std::optional<MemoryTier::Hit> hit = tier_->Find(entry);
    if (!hit) return nullptr;
    if (hit->stale) {
      const Result<std::vector<Digest>> missing = inner_->FindMissing({&digest, 1});
      if (missing && !missing->empty()) {
        tier_->Remove(entry);
        return nullptr;
      }
      // Where the store below fails, what is in memory is as true as ever.
      if (missing) tier_->Confirm(entry);
    }
    return std::get<BlobPointer>(hit->value);
  }

  // A blob is the same whenever it was read, so nothing can have overtaken this.
  void Keep(const Blob& blob) {
    const Entry entry = BlobEntry(blob.digest);
    tier_->Put(entry, std::make_shared<const Blob>(blob), blob.stored_bytes(),
               tier_->Removals(entry));
  }

  const std::unique_ptr<BlobStore> inner_;
  const std::shared_ptr<MemoryTier> tier_;
};

class MemoryTierActionCache final : public ActionCache {
 public:
  MemoryTierActionCache(std::unique_ptr<ActionCache> inner, std::shared_ptr<MemoryTier> tier,
                        const Clock& clock)
      : inner_(std::move(inner)), tier_(std::move(tier)), clock_(clock) {}

  Result<std::optional<ActionRecord>> Get(const Sha256& action) override {
    const Entry entry = ActionEntry(action);
    if (const std::optional<MemoryTier::Hit> hit = tier_->Find(entry); hit && !hit->stale) {
      const ActionRecord& record = *std::get<RecordPointer>(hit->value);
      if (!record.expires || *record.expires > clock_.WallNow())
        return std::optional<ActionRecord>(record);
    }
    const u64 removals = tier_->Removals(entry);
    PTXFARM_ASSIGN_OR_RETURN(std::optional<ActionRecord> record, inner_->Get(action));
    if (record) {
      tier_->Put(entry, std::make_shared<const ActionRecord>(*record),
                 record->bytes.size() + record->outputs.size() * sizeof(Digest), removals);
    } else {
      tier_->Remove(entry);
    }
    return record;
  }

  // The record isn't taken in here: of two that are put at once, only the store below knows which
  // is the last.
  Status Put(const Sha256& action, const ActionRecord& record) override {
    Status put = inner_->Put(action, record);
    tier_->Remove(ActionEntry(action));
    return put;
  }

  Status Remove(const Sha256& action) override {
    Status removed = inner_->Remove(action);
    tier_->Remove(ActionEntry(action));
    return removed;
  }

 private:
  const std::unique_ptr<ActionCache> inner_;
  const std::shared_ptr<MemoryTier> tier_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<BlobStore> WithMemoryTier(std::unique_ptr<BlobStore> inner,
                                          std::shared_ptr<MemoryTier> tier) {
  return std::make_unique<MemoryTierBlobStore>(std::move(inner), std::move(tier));
}

std::unique_ptr<ActionCache> WithMemoryTier(std::unique_ptr<ActionCache> inner,
                                            std::shared_ptr<MemoryTier> tier, const Clock& clock) {
  return std::make_unique<MemoryTierActionCache>(std::move(inner), std::move(tier), clock);
}

}  // namespace ptxfarm
