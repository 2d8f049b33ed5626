// BlobStore on RocksDB. Small blobs are one value; large ones a file of chunks (chunk_files.h) and
// a manifest, which is written last and makes them visible.
#pragma once

#include <memory>

#include "store/blob_store.h"
#include "store/rocks/rocks_backend.h"

namespace ptxfarm::rocks {

// Stored bytes up to which a blob is one value: read with one look-up, held in memory while it is
// written.
inline constexpr u64 kInlineBytesMax = u64{1} << 20;

class RocksBlobStore final : public BlobStore {
 public:
  explicit RocksBlobStore(std::shared_ptr<RocksBackend> backend) : backend_(std::move(backend)) {}

  Result<Blob> Get(const Digest& digest) override;
  Status Put(const Blob& blob) override;
  Result<std::unique_ptr<BlobReader>> Open(const Digest& digest) override;
  Result<std::unique_ptr<BlobWriter>> Create(const Digest& digest) override;
  Result<std::vector<Digest>> FindMissing(std::span<const Digest> digests) override;

 private:
  const std::shared_ptr<RocksBackend> backend_;
};

}  // namespace ptxfarm::rocks
