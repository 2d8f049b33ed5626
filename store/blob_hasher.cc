#include "store/blob_hasher.h"

namespace ptxfarm {

Status BlobHasher::Add(const Chunk& chunk) {
  if (chunk.encoding == Encoding::kIdentity && CheckShape(chunk)) {
    hasher_.Update(*chunk.bytes);
    return Ok{};
  }
  PTXFARM_ASSIGN_OR_RETURN(const std::string plain, PlainOf(chunk));
  hasher_.Update(plain);
  return Ok{};
}

Status CheckDigest(const Blob& blob) {
  BlobHasher hasher;
  for (const Chunk& chunk : blob.chunks) PTXFARM_RETURN_IF_ERROR(hasher.Add(chunk));
  const Digest found = std::move(hasher).Finish();
  if (found == blob.digest) return Ok{};
  return MakeError(Code::kDataLoss, "blob {} has the bytes of {}", blob.digest.ToString(),
                   found.ToString());
}

}  // namespace ptxfarm
