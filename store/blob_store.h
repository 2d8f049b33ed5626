// BlobStore: bytes by digest. Whoever keeps blobs (memory, disk, a server far away) implements
// this; each quality that is added (checks, limits, memory, metrics) is a wrapper that implements
// it too: with_*.h. stores.h puts them together.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "store/blob.h"

namespace ptxfarm {

// Reads one blob, a chunk at a time, without ever holding more than one. Not for several threads at
// once.
class BlobReader {
 public:
  virtual ~BlobReader() = default;

  // The next chunk, or nothing after the last. An error ends the reader: what came before it must
  // not be used, as the digest can be known to be wrong only at the end.
  virtual Result<std::optional<Chunk>> Next() = 0;
};

// Writes one blob, a chunk at a time. Nobody sees it until Commit has returned well; a writer that
// is destroyed without leaves nothing. Not for several threads at once; several writers of one
// digest don't disturb each other.
class BlobWriter {
 public:
  virtual ~BlobWriter() = default;

  // INVALID_ARGUMENT where the chunk's shape is wrong (blob.h), one before it was smaller than
  // kChunkBytesMin, or there are more bytes now than the digest says. After an error the writer is
  // spent.
  virtual Status Append(Chunk chunk) = 0;

  // INVALID_ARGUMENT where the bytes aren't as many as the digest says (or, below
  // with_digest_check.h, aren't those that it names). Called once.
  virtual Status Commit() = 0;
};

// Safe to call from many threads at once. Errors common to all: UNAVAILABLE (disk or peer is down;
// may be retried), RESOURCE_EXHAUSTED (disk full, limit reached; the message names which).
class BlobStore {
 public:
  virtual ~BlobStore() = default;

  // NOT_FOUND where there is none. DATA_LOSS where it was found damaged; it is gone then and can be
  // made again.
  virtual Result<Blob> Get(const Digest& digest) = 0;

  // When it returns well the blob is there for everybody and survives the end of the process,
  // however hard. Putting what is there already is no error and costs a look-up.
  virtual Status Put(const Blob& blob) = 0;

  // As Get and Put, for blobs of any size.
  virtual Result<std::unique_ptr<BlobReader>> Open(const Digest& digest) = 0;
  virtual Result<std::unique_ptr<BlobWriter>> Create(const Digest& digest) = 0;

  // Those of `digests` that aren't there, in the order asked. What is there counts as used now, so
  // that it will not be evicted while the caller goes on to rely on it.
  virtual Result<std::vector<Digest>> FindMissing(std::span<const Digest> digests) = 0;
};

// Reads a blob out of memory.
class ChunkReader final : public BlobReader {
 public:
  explicit ChunkReader(std::vector<Chunk> chunks) : chunks_(std::move(chunks)) {}

  Result<std::optional<Chunk>> Next() override {
    if (next_ == chunks_.size()) return std::optional<Chunk>();
    return std::optional<Chunk>(std::move(chunks_[next_++]));
  }

 private:
  std::vector<Chunk> chunks_;
  std::size_t next_ = 0;
};

}  // namespace ptxfarm
