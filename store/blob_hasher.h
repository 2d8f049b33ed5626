// The digest of a blob that passes by in chunks.
#pragma once

#include "store/blob.h"

namespace ptxfarm {

class BlobHasher {
 public:
  // DATA_LOSS where the chunk's plain bytes can't be had.
  Status Add(const Chunk& chunk);
  // The digest of all that was added; the hasher is spent afterwards.
  Digest Finish() && { return std::move(hasher_).Finish(); }

 private:
  Hasher hasher_;
};

// DATA_LOSS where the blob's bytes aren't those that its digest names.
Status CheckDigest(const Blob& blob);

}  // namespace ptxfarm
