// Blobs of 256 MiB, each another, in the form in which they travel.
#pragma once

#include <vector>

#include "base/int.h"
#include "store/blob_store.h"

namespace ptxfarm::bench {

inline constexpr u64 kBigBlobChunks = 256;

enum class Content {
  kPtx,    // Compresses as PTX does.
  kNoise,  // Doesn't compress.
};

class BigBlobs {
 public:
  explicit BigBlobs(Content content);
  // Differs from all before in its first chunk.
  Blob Next();

 private:
  u64 made_ = 0;
  std::vector<std::string> plain_;
  std::vector<Chunk> chunks_;
};

// Reads a blob from its first chunk to its last; its plain bytes.
u64 ReadThrough(BlobStore& store, const Digest& digest);

}  // namespace ptxfarm::bench
