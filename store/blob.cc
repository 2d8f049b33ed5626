#include "store/blob.h"

#include <algorithm>

#include "base/compress.h"

namespace ptxfarm {

Chunk MakeChunk(std::string_view plain) {
  PTXFARM_CHECK(!plain.empty() && plain.size() <= kChunkBytes, "not the size of a chunk");
  if (plain.size() >= kCompressBytesMin) {
    std::string frame = ZstdCompress(plain);
    if (frame.size() < plain.size())
      return {Encoding::kZstd, plain.size(), std::make_shared<const std::string>(std::move(frame))};
  }
  return {Encoding::kIdentity, plain.size(), std::make_shared<const std::string>(plain)};
}

Status CheckShape(const Chunk& chunk) {
  if (chunk.bytes == nullptr || chunk.plain_bytes == 0 || chunk.plain_bytes > kChunkBytes)
    return MakeError(Code::kInvalidArgument, "a chunk of {} bytes; it may have 1 to {}",
                     chunk.plain_bytes, kChunkBytes);
  const u64 encoded_bytes = chunk.bytes->size();
  switch (chunk.encoding) {
    case Encoding::kIdentity:
      if (encoded_bytes == chunk.plain_bytes) return Ok{};
      break;
    case Encoding::kZstd:
      if (encoded_bytes <= chunk.plain_bytes) return Ok{};
      break;
  }
  return MakeError(Code::kInvalidArgument, "a chunk of {} bytes comes as {} in encoding {}",
                   chunk.plain_bytes, encoded_bytes, static_cast<int>(chunk.encoding));
}

Result<std::string> PlainOf(const Chunk& chunk) {
  if (Status shape = CheckShape(chunk); !shape)
    return Error{Code::kDataLoss, std::move(shape).error().message};
  if (chunk.encoding == Encoding::kIdentity) return std::string(*chunk.bytes);
  return ZstdDecompress(*chunk.bytes, chunk.plain_bytes);
}

Result<std::string> Blob::Plain() const {
  std::string plain;
  for (const Chunk& chunk : chunks) {
    PTXFARM_ASSIGN_OR_RETURN(std::string piece, PlainOf(chunk));
    // Most blobs are one chunk: theirs isn't copied.
    if (plain.empty()) {
      plain = std::move(piece);
      if (chunks.size() > 1)
        plain.reserve(std::min(digest.size_bytes, chunks.size() * kChunkBytes));
    } else {
      plain += piece;
    }
  }
  if (plain.size() != digest.size_bytes)
    return MakeError(Code::kDataLoss, "blob {} has {} bytes instead of {}", digest, plain.size(),
                     digest.size_bytes);
  return plain;
}

u64 Blob::stored_bytes() const {
  u64 sum = 0;
  for (const Chunk& chunk : chunks) sum += chunk.bytes->size();
  return sum;
}

Blob MakeBlob(std::string_view plain) {
  Blob blob{.digest = DigestOf(plain)};
  for (std::size_t at = 0; at < plain.size(); at += kChunkBytes)
    blob.chunks.push_back(MakeChunk(plain.substr(at, kChunkBytes)));
  return blob;
}

}  // namespace ptxfarm
