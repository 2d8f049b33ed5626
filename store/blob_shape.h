// Holds the chunks of a blob that arrives against what its digest says of their size: for writers.
#pragma once

#include "store/blob.h"

namespace ptxfarm {

class BlobShape {
 public:
  explicit BlobShape(const Digest& digest) : digest_(digest) {}

  // INVALID_ARGUMENT: as of BlobWriter::Append.
  Status Add(const Chunk& chunk);
  // INVALID_ARGUMENT: bytes are missing.
  Status Finish() const;

 private:
  const Digest digest_;
  u64 plain_bytes_ = 0;
  bool last_ = false;  // A chunk came that only a last one may be.
};

}  // namespace ptxfarm
