#include "store/blob_shape.h"

namespace ptxfarm {

Status BlobShape::Add(const Chunk& chunk) {
  PTXFARM_RETURN_IF_ERROR(CheckShape(chunk));
  if (last_)
    return MakeError(Code::kInvalidArgument,
                     "blob {}: a chunk of less than {} bytes that isn't the last", digest_,
                     kChunkBytesMin);
  if (chunk.plain_bytes > digest_.size_bytes - plain_bytes_)
    return MakeError(Code::kInvalidArgument, "blob {}: more bytes than the {} it should have",
                     digest_, digest_.size_bytes);
  plain_bytes_ += chunk.plain_bytes;
  last_ = chunk.plain_bytes < kChunkBytesMin;
  return Ok{};
}

Status BlobShape::Finish() const {
  if (plain_bytes_ == digest_.size_bytes) return Ok{};
  return MakeError(Code::kInvalidArgument, "blob {}: {} bytes instead of {}", digest_, plain_bytes_,
                   digest_.size_bytes);
}

}  // namespace ptxfarm
