#include "store/rocks/rocks_blob_store.h"

#include "store/rocks/layout.h"
#include "store/rocks/rocks_blob_reader.h"
#include "store/rocks/rocks_blob_writer.h"

namespace ptxfarm::rocks {

Result<Blob> RocksBlobStore::Get(const Digest& digest) {
  PTXFARM_ASSIGN_OR_RETURN(const std::unique_ptr<BlobReader> reader, Open(digest));
  Blob blob{.digest = digest};
  while (true) {
    PTXFARM_ASSIGN_OR_RETURN(std::optional<Chunk> chunk, reader->Next());
    if (!chunk) return blob;
    blob.chunks.push_back(*std::move(chunk));
  }
}

Status RocksBlobStore::Put(const Blob& blob) {
  PTXFARM_ASSIGN_OR_RETURN(const bool kept, backend_->uses().Use(BlobEntry(blob.digest)));
  if (kept) return Ok{};
  RocksBlobWriter writer(backend_, blob.digest);
  for (const Chunk& chunk : blob.chunks) PTXFARM_RETURN_IF_ERROR(writer.Append(chunk));
  return writer.Commit();
}

Result<std::unique_ptr<BlobReader>> RocksBlobStore::Open(const Digest& digest) {
  return OpenBlob(backend_, digest);
}

Result<std::unique_ptr<BlobWriter>> RocksBlobStore::Create(const Digest& digest) {
  if (backend_->database().closed()) return MakeError(Code::kUnavailable, "the store is closed");
  return std::unique_ptr<BlobWriter>(std::make_unique<RocksBlobWriter>(backend_, digest));
}

Result<std::vector<Digest>> RocksBlobStore::FindMissing(std::span<const Digest> digests) {
  std::vector<Digest> missing;
  for (const Digest& digest : digests) {
    PTXFARM_ASSIGN_OR_RETURN(const bool kept, backend_->uses().Use(BlobEntry(digest)));
    if (!kept) missing.push_back(digest);
  }
  if (backend_->uses().IsFull()) backend_->keeper().Wake();
  return missing;
}

}  // namespace ptxfarm::rocks
