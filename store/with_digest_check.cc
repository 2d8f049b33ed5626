#include "store/with_digest_check.h"

#include "store/blob_hasher.h"

namespace ptxfarm {
namespace {

Error Invalid(Error error) {
  if (error.code == Code::kDataLoss) error.code = Code::kInvalidArgument;
  return error;
}

Error Isolating(Quarantine* quarantine, const Digest& digest, Error error) {
  if (quarantine != nullptr) quarantine->Isolate(digest, error.message);
  return error;
}

class CheckingReader final : public BlobReader {
 public:
  CheckingReader(std::unique_ptr<BlobReader> inner, const Digest& digest, Quarantine* quarantine)
      : inner_(std::move(inner)), digest_(digest), quarantine_(quarantine) {}

  Result<std::optional<Chunk>> Next() override {
    if (done_) return std::optional<Chunk>();
    PTXFARM_ASSIGN_OR_RETURN(std::optional<Chunk> chunk, inner_->Next());
    if (chunk) {
      if (Status added = hasher_.Add(*chunk); !added)
        return Isolating(quarantine_, digest_, std::move(added).error());
      return chunk;
    }
    done_ = true;
    const Digest found = std::move(hasher_).Finish();
    if (found == digest_) return std::optional<Chunk>();
    return Isolating(quarantine_, digest_,
                     MakeError(Code::kDataLoss, "blob {} reads back as {}", digest_.ToString(),
                               found.ToString()));
  }

 private:
  const std::unique_ptr<BlobReader> inner_;
  const Digest digest_;
  Quarantine* const quarantine_;
  BlobHasher hasher_;
  bool done_ = false;
};

class CheckingWriter final : public BlobWriter {
 public:
  CheckingWriter(std::unique_ptr<BlobWriter> inner, const Digest& digest)
      : inner_(std::move(inner)), digest_(digest) {}

  Status Append(Chunk chunk) override {
    if (Status added = hasher_.Add(chunk); !added) return Invalid(std::move(added).error());
    return inner_->Append(std::move(chunk));
  }

  Status Commit() override {
    if (const Digest found = std::move(hasher_).Finish(); found != digest_)
      return MakeError(Code::kInvalidArgument, "blob {} was sent with the bytes of {}",
                       digest_.ToString(), found.ToString());
    return inner_->Commit();
  }

 private:
  const std::unique_ptr<BlobWriter> inner_;
  const Digest digest_;
  BlobHasher hasher_;
};

class DigestCheckingBlobStore final : public BlobStore {
 public:
  DigestCheckingBlobStore(std::unique_ptr<BlobStore> inner, Quarantine* quarantine,
                          DigestChecks checks)
      : inner_(std::move(inner)),
        quarantine_(quarantine),
        checks_out_(checks == DigestChecks::kInAndOut) {}

  Result<Blob> Get(const Digest& digest) override {
    if (!checks_out_) return inner_->Get(digest);
    PTXFARM_ASSIGN_OR_RETURN(Blob blob, inner_->Get(digest));
    if (Status checked = CheckDigest(blob); !checked)
      return Isolating(quarantine_, digest, std::move(checked).error());
    return blob;
  }

  Status Put(const Blob& blob) override {
    if (Status checked = CheckDigest(blob); !checked) return Invalid(std::move(checked).error());
    return inner_->Put(blob);
  }

  Result<std::unique_ptr<BlobReader>> Open(const Digest& digest) override {
    if (!checks_out_) return inner_->Open(digest);
    PTXFARM_ASSIGN_OR_RETURN(std::unique_ptr<BlobReader> reader, inner_->Open(digest));
    return std::unique_ptr<BlobReader>(
        std::make_unique<CheckingReader>(std::move(reader), digest, quarantine_));
  }

  Result<std::unique_ptr<BlobWriter>> Create(const Digest& digest) override {
    PTXFARM_ASSIGN_OR_RETURN(std::unique_ptr<BlobWriter> writer, inner_->Create(digest));
    return std::unique_ptr<BlobWriter>(std::make_unique<CheckingWriter>(std::move(writer), digest));
  }

  Result<std::vector<Digest>> FindMissing(std::span<const Digest> digests) override {
    return inner_->FindMissing(digests);
  }

 private:
  const std::unique_ptr<BlobStore> inner_;
  Quarantine* const quarantine_;
  const bool checks_out_;
};

}  // namespace

std::unique_ptr<BlobStore> WithDigestCheck(std::unique_ptr<BlobStore> inner, Quarantine* quarantine,
                                           DigestChecks checks) {
  return std::make_unique<DigestCheckingBlobStore>(std::move(inner), quarantine, checks);
}

}  // namespace ptxfarm
