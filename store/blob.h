// A blob at rest and on its way: chunks that are each compressed on their own.
//
// A blob is made once, where its bytes come from, and then travels and rests in that form: client,
// wire, server, memory and disk share the compressed bytes, and any size streams a chunk at a time.
// The digest is over the plain bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/int.h"
#include "base/result.h"

namespace ptxfarm {

// Plain bytes a chunk holds at most. Big enough that the cost of a message or a read is spread
// thin, small enough that a handful of them in flight is no memory to speak of.
inline constexpr u64 kChunkBytes = u64{1} << 20;
// Plain bytes of every chunk but a blob's last at least: bounds the number of chunks that a peer
// can make of its bytes.
inline constexpr u64 kChunkBytesMin = u64{64} << 10;
// Below this zstd gains too little (measured: ratio 1.5) to be worth a call.
inline constexpr u64 kCompressBytesMin = u64{1} << 10;

// By number on the wire and on disk: never renumber.
enum class Encoding : u8 { kIdentity = 0, kZstd = 1 };

// Immutable and cheap to copy: copies share the bytes.
struct Chunk {
  Encoding encoding = Encoding::kIdentity;
  u64 plain_bytes = 0;
  std::shared_ptr<const std::string> bytes;  // As encoded. Never null, but in a default-made chunk.
};

// One chunk of at most kChunkBytes of plain bytes, zstd level 1 where that is smaller.
Chunk MakeChunk(std::string_view plain);

// What a chunk may be, whoever made it: between 1 and kChunkBytes plain bytes, as many encoded ones
// at most, an encoding that we know. INVALID_ARGUMENT otherwise. Doesn't decompress.
Status CheckShape(const Chunk& chunk);

// The plain bytes; DATA_LOSS where the encoded ones don't give exactly `plain_bytes` of them.
Result<std::string> PlainOf(const Chunk& chunk);

struct Blob {
  Digest digest;
  std::vector<Chunk> chunks;

  // The whole of it, in one piece. DATA_LOSS where a chunk is damaged or their sum isn't the
  // digest's size; it does not take the digest again: stores do (with_digest_check.h).
  Result<std::string> Plain() const;
  // Bytes it takes at rest and on the wire, without names and frames.
  u64 stored_bytes() const;
};

// Takes the digest and compresses. Equal bytes give equal blobs.
Blob MakeBlob(std::string_view plain);

}  // namespace ptxfarm
