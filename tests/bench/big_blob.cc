#include "tests/bench/big_blob.h"

#include <random>

#include "base/check.h"
#include "tests/bench/rivals.h"

namespace ptxfarm::bench {
namespace {

std::string PlainChunk(Content content, u64 index) {
  std::string plain;
  switch (content) {
    case Content::kPtx:
      for (std::size_t salt = index << 32; plain.size() < kChunkBytes; ++salt)
        plain += MakeModule(1, salt);
      break;
    case Content::kNoise: {
      std::mt19937_64 random(index);
      while (plain.size() < kChunkBytes) {
        const u64 word = random();
        plain.append(reinterpret_cast<const char*>(&word), sizeof(word));
      }
      break;
    }
  }
  plain.resize(kChunkBytes);
  return plain;
}

}  // namespace

BigBlobs::BigBlobs(Content content) {
  for (u64 i = 0; i < kBigBlobChunks; ++i) {
    plain_.push_back(PlainChunk(content, i));
    chunks_.push_back(MakeChunk(plain_.back()));
  }
}

Blob BigBlobs::Next() {
  const std::string mark = fmt::format("// blob {:010} //\n", ++made_);
  plain_[0].replace(0, mark.size(), mark);
  chunks_[0] = MakeChunk(plain_[0]);
  Hasher hasher;
  for (const std::string& piece : plain_) hasher.Update(piece);
  return {.digest = std::move(hasher).Finish(), .chunks = chunks_};
}

u64 ReadThrough(BlobStore& store, const Digest& digest) {
  Result<std::unique_ptr<BlobReader>> reader = store.Open(digest);
  PTXFARM_CHECK(reader.has_value());
  u64 bytes = 0;
  while (true) {
    const Result<std::optional<Chunk>> chunk = (*reader)->Next();
    PTXFARM_CHECK(chunk.has_value(), chunk.error().ToString());
    if (!*chunk) return bytes;
    bytes += (*chunk)->plain_bytes;
  }
}

}  // namespace ptxfarm::bench
