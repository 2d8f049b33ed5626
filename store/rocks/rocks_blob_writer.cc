#include "store/rocks/rocks_blob_writer.h"

#include "store/rocks/layout.h"
#include "store/rocks/rocks_blob_store.h"

namespace ptxfarm::rocks {

RocksBlobWriter::~RocksBlobWriter() {
  // Where this fails, the next process cleans up.
  if (placed_) (void)backend_->chunk_files().Delete(file_->upload()).has_value();
}

Status RocksBlobWriter::Append(Chunk chunk) {
  PTXFARM_RETURN_IF_ERROR(shape_.Add(chunk));
  stored_bytes_ += chunk.bytes->size();
  PTXFARM_RETURN_IF_ERROR(CheckCap());
  if (file_ == nullptr) {
    chunks_.push_back(std::move(chunk));
    return stored_bytes_ > kInlineBytesMax ? Spill() : Status(Ok{});
  }
  PTXFARM_RETURN_IF_ERROR(file_->Append(chunk));
  return backend_->keeper().MakeRoom();
}

Status RocksBlobWriter::Commit() {
  PTXFARM_RETURN_IF_ERROR(shape_.Finish());
  if (file_ == nullptr) return CommitManifest(EncodeInline(chunks_), 0);
  placed_ = true;  // Also if it fails half-way.
  PTXFARM_RETURN_IF_ERROR(file_->Place());
  return CommitManifest(EncodeChunked(file_->upload(), file_->chunk_count()), file_->upload());
}

Status RocksBlobWriter::CheckCap() const {
  const u64 bytes_max = backend_->options().bytes_max;
  if (bytes_max == 0) return Ok{};
  if (stored_bytes_ > bytes_max)
    return MakeError(Code::kResourceExhausted,
                     "blob {} takes more than the {} bytes that the whole store may have", digest_,
                     bytes_max);
  // What stays in memory doesn't ask: it is small, and gone in a moment.
  if (file_ != nullptr && backend_->chunk_files().bytes_under_way() > bytes_max)
    return MakeError(Code::kResourceExhausted,
                     "the uploads under way take more than the {} bytes that the whole store may "
                     "have: retry when some have ended",
                     bytes_max);
  return Ok{};
}

Status RocksBlobWriter::Spill() {
  PTXFARM_ASSIGN_OR_RETURN(file_, backend_->chunk_files().Create());
  for (const Chunk& chunk : chunks_) PTXFARM_RETURN_IF_ERROR(file_->Append(chunk));
  chunks_.clear();
  return Ok{};
}

Status RocksBlobWriter::CommitManifest(const std::string& manifest, UploadId upload) {
  {
    PTXFARM_ASSIGN_OR_RETURN(EntryChange change, backend_->uses().Change(BlobEntry(digest_)));
    if (change.row()) {  // Somebody else was quicker.
      backend_->uses().Note(BlobEntry(digest_));
      return Ok{};
    }
    Database& database = backend_->database();
    change.batch().Put(database.handle(Family::kBlobs), DigestKey(digest_), manifest);
    if (upload != 0) backend_->chunk_files().Claim(change.batch(), upload);
    PTXFARM_RETURN_IF_ERROR(change.Keep(stored_bytes_, upload, /*sync=*/false));
    placed_ = false;
    file_.reset();  // From now on the bytes count as kept.
  }
  // The blob is there; that there was no room for others is for the next writer to hear.
  (void)backend_->keeper().MakeRoom().has_value();
  return Ok{};
}

}  // namespace ptxfarm::rocks
