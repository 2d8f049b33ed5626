#include "store/with_size_limit.h"

namespace ptxfarm {
namespace {

class SizeLimitingBlobStore final : public BlobStore {
 public:
  SizeLimitingBlobStore(std::unique_ptr<BlobStore> inner, const Limit& limit)
      : inner_(std::move(inner)), limit_(limit) {}

  Result<Blob> Get(const Digest& digest) override { return inner_->Get(digest); }

  Status Put(const Blob& blob) override {
    PTXFARM_RETURN_IF_ERROR(Check(blob.digest));
    return inner_->Put(blob);
  }

  Result<std::unique_ptr<BlobReader>> Open(const Digest& digest) override {
    return inner_->Open(digest);
  }

  Result<std::unique_ptr<BlobWriter>> Create(const Digest& digest) override {
    PTXFARM_RETURN_IF_ERROR(Check(digest));
    return inner_->Create(digest);
  }

  Result<std::vector<Digest>> FindMissing(std::span<const Digest> digests) override {
    return inner_->FindMissing(digests);
  }

 private:
  // The digest's size is only what the caller says, but writers take no more bytes than that.
  Status Check(const Digest& digest) const {
    if (digest.size_bytes <= limit_.value) return Ok{};
    return limit_.Exceeded(fmt::format("size of blob {} in bytes", digest), digest.size_bytes);
  }

  const std::unique_ptr<BlobStore> inner_;
  const Limit limit_;
};

class SizeLimitingActionCache final : public ActionCache {
 public:
  SizeLimitingActionCache(std::unique_ptr<ActionCache> inner, const Limit& limit)
      : inner_(std::move(inner)), limit_(limit) {}

  Result<std::optional<ActionRecord>> Get(const Sha256& action) override {
    return inner_->Get(action);
  }

  Status Put(const Sha256& action, const ActionRecord& record) override {
    const u64 bytes = record.bytes.size() + record.outputs.size() * sizeof(Digest);
    if (bytes > limit_.value)
      return limit_.Exceeded(fmt::format("size of the record of action {} in bytes", HexOf(action)),
                             bytes);
    return inner_->Put(action, record);
  }

  Status Remove(const Sha256& action) override { return inner_->Remove(action); }

 private:
  const std::unique_ptr<ActionCache> inner_;
  const Limit limit_;
};

}  // namespace

std::unique_ptr<BlobStore> WithSizeLimit(std::unique_ptr<BlobStore> inner, const Limit& limit) {
  return std::make_unique<SizeLimitingBlobStore>(std::move(inner), limit);
}

std::unique_ptr<ActionCache> WithSizeLimit(std::unique_ptr<ActionCache> inner, const Limit& limit) {
  return std::make_unique<SizeLimitingActionCache>(std::move(inner), limit);
}

}  // namespace ptxfarm
