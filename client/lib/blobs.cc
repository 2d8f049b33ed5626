#include "client/lib/blobs.h"

#include <memory>

#include "rpc/remote_blob_store.h"

namespace ptxfarm::client {
namespace {

Status CheckDigest(const std::string& bytes, const Digest& digest) {
  if (DigestOf(bytes) == digest) return Ok{};
  return MakeError(Code::kDataLoss, "what came for blob {} is something else", digest);
}

}  // namespace

Result<std::string> CheckedPlain(const Blob& blob) {
  PTXFARM_ASSIGN_OR_RETURN(std::string bytes, blob.Plain());
  PTXFARM_RETURN_IF_ERROR(CheckDigest(bytes, blob.digest));
  return bytes;
}

Result<std::string> DownloadBlob(const rpc::Channel& channel, const Digest& digest,
                                 const CancelToken& cancel) {
  const std::unique_ptr<BlobStore> store = rpc::MakeRemoteBlobStore(channel);
  PTXFARM_ASSIGN_OR_RETURN(const std::unique_ptr<BlobReader> reader, store->Open(digest));
  std::string bytes;
  while (true) {
    PTXFARM_ASSIGN_OR_RETURN(const std::optional<Chunk> chunk, reader->Next());
    if (!chunk) break;
    if (cancel.cancelled()) return MakeError(Code::kCancelled, "cancelled");
    // The digest's size is the bound: a server can't make us take more than it announced.
    if (chunk->plain_bytes > digest.size_bytes - bytes.size())
      return MakeError(Code::kDataLoss, "blob {} is longer than its digest says", digest);
    PTXFARM_ASSIGN_OR_RETURN(const std::string plain, PlainOf(*chunk));
    bytes += plain;
  }
  PTXFARM_RETURN_IF_ERROR(CheckDigest(bytes, digest));
  return bytes;
}

Status UploadBlob(const rpc::Channel& channel, std::string_view bytes, const Digest& digest,
                  const CancelToken& cancel) {
  const std::unique_ptr<BlobStore> store = rpc::MakeRemoteBlobStore(channel);
  PTXFARM_ASSIGN_OR_RETURN(const std::unique_ptr<BlobWriter> writer, store->Create(digest));
  while (!bytes.empty()) {
    if (cancel.cancelled()) return MakeError(Code::kCancelled, "cancelled");
    const std::string_view piece = bytes.substr(0, kChunkBytes);
    PTXFARM_RETURN_IF_ERROR(writer->Append(MakeChunk(piece)));
    bytes.remove_prefix(piece.size());
  }
  return writer->Commit();
}

}  // namespace ptxfarm::client
