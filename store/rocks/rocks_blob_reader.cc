#include "store/rocks/rocks_blob_reader.h"

#include "store/rocks/layout.h"

namespace ptxfarm::rocks {
namespace {

// Takes the blob out of the store if `error` says that it is damaged, and passes the error on.
Error Isolating(RocksBackend& backend, const Digest& digest, Error error) {
  if (error.code == Code::kDataLoss) {
    backend.Isolate(digest, error.message);
    return std::move(error).Wrap("blob {}", digest);
  }
  return error;
}

// Of a large blob. The iterator keeps the file it reads from, also when the blob is evicted
// meanwhile.
class ChunkFileReader final : public BlobReader {
 public:
  ChunkFileReader(std::shared_ptr<RocksBackend> backend, const Digest& digest,
                  const Manifest& manifest, std::unique_ptr<rocksdb::Iterator> chunks)
      : backend_(std::move(backend)),
        digest_(digest),
        upload_(manifest.upload),
        chunk_count_(manifest.chunk_count),
        chunks_(std::move(chunks)) {}

  Result<std::optional<Chunk>> Next() override {
    if (next_ == chunk_count_) return std::optional<Chunk>();
    Result<Chunk> chunk = ReadChunk();
    if (!chunk) return Isolating(*backend_, digest_, std::move(chunk).error());
    ++next_;
    chunks_->Next();
    return std::optional<Chunk>(*std::move(chunk));
  }

 private:
  Result<Chunk> ReadChunk() {
    if (!chunks_->status().ok()) return backend_->database().ErrorOf(chunks_->status(), "read");
    if (!chunks_->Valid() || chunks_->key() != ChunkKey(upload_, next_))
      return MakeError(Code::kDataLoss, "chunk {} is lost", next_);
    return DecodeChunk(chunks_->value().ToStringView());
  }

  const std::shared_ptr<RocksBackend> backend_;
  const Digest digest_;
  const UploadId upload_;
  const u32 chunk_count_;
  const std::unique_ptr<rocksdb::Iterator> chunks_;
  u32 next_ = 0;
};

// Nothing where there is none.
Result<std::optional<Manifest>> ReadManifest(RocksBackend& backend, const Digest& digest) {
  rocksdb::PinnableSlice value;
  PTXFARM_ASSIGN_OR_RETURN(const bool found,
                           backend.database().Get(Family::kBlobs, DigestKey(digest), value));
  if (!found) return std::optional<Manifest>();
  PTXFARM_ASSIGN_OR_RETURN(Manifest manifest, DecodeManifest(value.ToStringView()));
  return std::optional<Manifest>(std::move(manifest));
}

// Where the index says that a blob is kept and there is none (files of the database were lost), the
// index is wrong, and would keep the blob from being put again.
Error ForgetIfLost(RocksBackend& backend, const Digest& digest) {
  Error absent = MakeError(Code::kNotFound, "blob {} is not in the store", digest);
  PTXFARM_ASSIGN_OR_RETURN(const bool kept, backend.uses().Use(BlobEntry(digest)));
  if (!kept) return absent;
  PTXFARM_ASSIGN_OR_RETURN(EntryChange change, backend.uses().Change(BlobEntry(digest)));
  PTXFARM_ASSIGN_OR_RETURN(const std::optional<Manifest> manifest, ReadManifest(backend, digest));
  // If it is there now, it was put in between.
  if (!manifest) (void)backend.evictor().Remove(change).has_value();
  return absent;
}

}  // namespace

Result<std::unique_ptr<BlobReader>> OpenBlob(const std::shared_ptr<RocksBackend>& backend,
                                             const Digest& digest) {
  // More than one, as between reading the manifest and looking at the chunks the blob may be
  // evicted, and even put again.
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    Result<std::optional<Manifest>> found = ReadManifest(*backend, digest);
    if (!found) return Isolating(*backend, digest, std::move(found).error());
    if (!*found) return ForgetIfLost(*backend, digest);
    Manifest& manifest = **found;
    if (manifest.upload == 0) {
      backend->uses().Note(BlobEntry(digest));
      return std::unique_ptr<BlobReader>(std::make_unique<ChunkReader>(std::move(manifest.chunks)));
    }
    std::unique_ptr<rocksdb::Iterator> chunks = backend->chunk_files().Iterate(manifest.upload);
    const bool evicted = chunks->status().ok() &&
                         (!chunks->Valid() || chunks->key() != ChunkKey(manifest.upload, 0));
    if (evicted && i + 1 < kTries) continue;
    backend->uses().Note(BlobEntry(digest));
    return std::unique_ptr<BlobReader>(
        std::make_unique<ChunkFileReader>(backend, digest, manifest, std::move(chunks)));
  }
  return MakeError(Code::kNotFound, "blob {} is not in the store", digest);
}

}  // namespace ptxfarm::rocks
