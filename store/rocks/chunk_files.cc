#include "store/rocks/chunk_files.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>
#include <vector>

#include <rocksdb/convenience.h>

namespace ptxfarm::rocks {
namespace {

std::string FolderOf(const Database& database) { return database.path() + "/incoming"; }

}  // namespace

ChunkFile::ChunkFile(Database& database, UploadId upload, std::atomic<u64>& bytes_under_way)
    : database_(database),
      bytes_under_way_(bytes_under_way),
      upload_(upload),
      path_(fmt::format("{}/{}.sst", FolderOf(database), upload)),
      writer_(std::make_unique<rocksdb::SstFileWriter>(
          rocksdb::EnvOptions(database.db().GetDBOptions()),
          database.db().GetOptions(database.handle(Family::kChunks)),
          database.handle(Family::kChunks))) {}

ChunkFile::~ChunkFile() {
  writer_.reset();
  ::unlink(path_.c_str());  // Not there any more once it is placed.
  bytes_under_way_ -= bytes_;
}

Status ChunkFile::Append(const Chunk& chunk) {
  const rocksdb::Status status = writer_->Put(ChunkKey(upload_, chunk_count_), EncodeChunk(chunk));
  if (!status.ok()) return database_.ErrorOf(status, "write a large blob");
  ++chunk_count_;
  bytes_ += chunk.bytes->size();
  bytes_under_way_ += chunk.bytes->size();
  return Ok{};
}

Status ChunkFile::Place() {
  if (const rocksdb::Status status = writer_->Finish(); !status.ok())
    return database_.ErrorOf(status, "write a large blob");
  rocksdb::WriteBatch intent;
  intent.Put(database_.handle(Family::kMeta), UploadKey(upload_), {});
  PTXFARM_RETURN_IF_ERROR(database_.Write(intent));

  rocksdb::IngestExternalFileOptions options;
  options.move_files = true;
  options.write_global_seqno = false;
  const rocksdb::Status status =
      database_.db().IngestExternalFile(database_.handle(Family::kChunks), {path_}, options);
  if (!status.ok()) return database_.ErrorOf(status, "place a large blob");
  return Ok{};
}

Status ChunkFiles::Load() {
  std::error_code error;
  std::filesystem::remove_all(FolderOf(database_), error);
  if (!error) std::filesystem::create_directories(FolderOf(database_), error);
  if (error) return ErrnoError(error.value(), fmt::format("clean {}", FolderOf(database_)));

  std::vector<UploadId> disowned;
  {
    const std::unique_ptr<rocksdb::Iterator> rows = database_.NewIterator(Family::kMeta);
    for (rows->Seek(kUploadPrefix); rows->Valid(); rows->Next()) {
      const std::optional<UploadId> upload = ParseUploadKey(rows->key().ToStringView());
      if (!upload) break;
      disowned.push_back(*upload);
    }
    if (!rows->status().ok()) return database_.ErrorOf(rows->status(), "find remains");
    const std::unique_ptr<rocksdb::Iterator> chunks = database_.NewIterator(Family::kChunks);
    chunks->SeekToLast();
    if (chunks->Valid()) next_upload_ = ParseChunkKey(chunks->key().ToStringView()).value_or(0) + 1;
    if (!chunks->status().ok()) return database_.ErrorOf(chunks->status(), "find the last upload");
  }
  for (const UploadId upload : disowned) {
    next_upload_ = std::max(next_upload_.load(), upload + 1);
    PTXFARM_RETURN_IF_ERROR(Delete(upload));
  }
  return Ok{};
}

Result<std::unique_ptr<ChunkFile>> ChunkFiles::Create() {
  if (database_.closed()) return MakeError(Code::kUnavailable, "the store is closed");
  std::unique_ptr<ChunkFile> file(new ChunkFile(database_, next_upload_++, bytes_under_way_));
  if (const rocksdb::Status status = file->writer_->Open(file->path_); !status.ok())
    return database_.ErrorOf(status, "write a large blob");
  return file;
}

void ChunkFiles::Claim(rocksdb::WriteBatch& batch, UploadId upload) {
  batch.Delete(database_.handle(Family::kMeta), UploadKey(upload));
}

void ChunkFiles::Disown(rocksdb::WriteBatch& batch, UploadId upload) {
  batch.Put(database_.handle(Family::kMeta), UploadKey(upload), {});
}

Status ChunkFiles::Delete(UploadId upload) {
  rocksdb::ColumnFamilyHandle* const family = database_.handle(Family::kChunks);
  const std::string first = ChunkKey(upload, 0);
  const std::string last = ChunkKey(upload, std::numeric_limits<u32>::max());
  const rocksdb::Slice first_slice(first), last_slice(last);
  const rocksdb::Status deleted =
      rocksdb::DeleteFilesInRange(&database_.db(), family, &first_slice, &last_slice);
  if (!deleted.ok()) return database_.ErrorOf(deleted, "delete a large blob");

  rocksdb::WriteBatch batch;
  // RocksDB leaves the file where it lies on the first level.
  const std::unique_ptr<rocksdb::Iterator> left = Iterate(upload);
  if (left->Valid() && ParseChunkKey(left->key().ToStringView()) == upload)
    batch.DeleteRange(family, first, last);
  Claim(batch, upload);
  return database_.Write(batch);
}

std::unique_ptr<rocksdb::Iterator> ChunkFiles::Iterate(UploadId upload) {
  rocksdb::ReadOptions options;
  options.fill_cache = false;  // Megabytes that are read once would drive out what is read often.
  options.readahead_size = 2 * kChunkBytes;
  std::unique_ptr<rocksdb::Iterator> chunks = database_.NewIterator(Family::kChunks, options);
  chunks->Seek(ChunkKey(upload, 0));
  return chunks;
}

}  // namespace ptxfarm::rocks
