// Writing one blob into RocksDB.
#pragma once

#include <memory>
#include <vector>

#include "store/blob_shape.h"
#include "store/blob_store.h"
#include "store/rocks/chunk_files.h"
#include "store/rocks/rocks_backend.h"

namespace ptxfarm::rocks {

// Keeps chunks in memory until they are more than a value should hold, then goes on in a chunk
// file.
class RocksBlobWriter final : public BlobWriter {
 public:
  RocksBlobWriter(std::shared_ptr<RocksBackend> backend, const Digest& digest)
      : backend_(std::move(backend)), digest_(digest), shape_(digest) {}
  ~RocksBlobWriter() override;

  Status Append(Chunk chunk) override;
  Status Commit() override;

 private:
  Status CheckCap() const;
  Status Spill();
  Status CommitManifest(const std::string& manifest, UploadId upload);

  const std::shared_ptr<RocksBackend> backend_;
  const Digest digest_;
  BlobShape shape_;
  u64 stored_bytes_ = 0;
  std::vector<Chunk> chunks_;  // While they are few; empty once there is a file.
  std::unique_ptr<ChunkFile> file_;
  bool placed_ = false;  // The file is in the database, and belongs to no blob yet.
};

}  // namespace ptxfarm::rocks
