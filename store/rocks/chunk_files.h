// The chunks of large blobs: each blob's are one table file of RocksDB's, written beside the
// database as they arrive and put in its place whole.
//
// So that a byte is written once: not to the log, then from memory to a file, then again at each
// merge. And so that eviction gives the space back at once: the file goes, nothing is rewritten.
// What a crash leaves (a file beside, or chunks in place whose blob was never committed) is cleaned
// when the store is opened.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <rocksdb/sst_file_writer.h>

#include "base/result.h"
#include "store/blob.h"
#include "store/rocks/database.h"
#include "store/rocks/layout.h"

namespace ptxfarm::rocks {

class ChunkFiles;

// One upload. Destroyed before Place, it leaves nothing. Not for several threads at once.
class ChunkFile {
 public:
  ~ChunkFile();
  ChunkFile(const ChunkFile&) = delete;
  ChunkFile& operator=(const ChunkFile&) = delete;

  UploadId upload() const { return upload_; }
  u32 chunk_count() const { return chunk_count_; }

  Status Append(const Chunk& chunk);
  // Syncs the file and puts it into the database. Until ChunkFiles::Claim is written, it counts as
  // a crash's remains.
  Status Place();

 private:
  friend class ChunkFiles;
  ChunkFile(Database& database, UploadId upload, std::atomic<u64>& bytes_under_way);

  Database& database_;
  std::atomic<u64>& bytes_under_way_;  // Of all files; `bytes_` of them are this one's.
  u64 bytes_ = 0;
  const UploadId upload_;
  const std::string path_;
  u32 chunk_count_ = 0;
  std::unique_ptr<rocksdb::SstFileWriter> writer_;
};

// Safe to call from many threads at once.
class ChunkFiles {
 public:
  explicit ChunkFiles(Database& database) : database_(database) {}

  // Cleans up after the last process. Before anything else.
  Status Load();

  // The file must not outlive this.
  Result<std::unique_ptr<ChunkFile>> Create();

  // Of the files that are not destroyed yet: on the disk, and nobody's so far.
  u64 bytes_under_way() const { return bytes_under_way_; }

  // Adds to the batch which commits or drops the blob that the chunks now belong to it, or to
  // nobody.
  void Claim(rocksdb::WriteBatch& batch, UploadId upload);
  void Disown(rocksdb::WriteBatch& batch, UploadId upload);

  // Deletes the chunks of an upload that belongs to nobody. Readers that have begun read on
  // undisturbed.
  Status Delete(UploadId upload);

  // Stands at the upload's first chunk, if it is there; behind its last one come those of other
  // uploads.
  std::unique_ptr<rocksdb::Iterator> Iterate(UploadId upload);

 private:
  Database& database_;
  std::atomic<UploadId> next_upload_ = 1;
  std::atomic<u64> bytes_under_way_ = 0;
};

}  // namespace ptxfarm::rocks
