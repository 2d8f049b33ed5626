// One RocksDB, opened as the store needs it: column families, one owner, errors as ours, and writes
// that find their way back after the disk was full.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include "base/int.h"
#include "base/result.h"
#include "store/rocks/families.h"
#include "store/rocks/folder_lock.h"

namespace ptxfarm {
class StoreObserver;
}  // namespace ptxfarm

namespace ptxfarm::rocks {

struct DatabaseOptions {
  std::string path;
  u64 cache_bytes = 0;
  StoreObserver* observer = nullptr;
};

// Safe to call from many threads at once.
class Database {
 public:
  // Makes the folder and the database where they aren't. FAILED_PRECONDITION where another process
  // has it.
  static Result<std::unique_ptr<Database>> Open(const DatabaseOptions& options,
                                                std::shared_ptr<FolderLock> lock = nullptr);
  // The folder in which RocksDB's files are.
  static std::string FilesOf(const std::string& path) { return path + "/db"; }

  ~Database();

  // Whether there is a value under `key`; it lies in `value` then.
  Result<bool> Get(Family family, std::string_view key, rocksdb::PinnableSlice& value,
                   const rocksdb::ReadOptions& options = {});

  std::unique_ptr<rocksdb::Iterator> NewIterator(Family family,
                                                 const rocksdb::ReadOptions& options = {});

  // All of the batch or nothing. What was written survives the end of the process; with `sync`, of
  // the machine.
  //
  // After a write failed, RocksDB refuses all others until it is told to go on. This tells it, once
  // there is room for what waits in memory, and tries again.
  Status Write(rocksdb::WriteBatch& batch, bool sync = false);

  // Whether writes go well, as far as is known; where they don't, tries to make them.
  bool Recover();

  // The error as ours, with our folder's name.
  Error ErrorOf(const rocksdb::Status& status, std::string_view doing) const;

  // The log, and everything before it, on the disk.
  Status Sync();

  // After this every call is UNAVAILABLE.
  void Close() { closed_ = true; }
  bool closed() const { return closed_; }

  bool writable() const { return !failing_; }
  u64 disk_bytes() const;
  const std::string& path() const { return path_; }
  rocksdb::DB& db() { return *db_; }
  rocksdb::ColumnFamilyHandle* handle(Family family) const {
    return handles_[static_cast<std::size_t>(family)];
  }

 private:
  Database(std::string path, std::shared_ptr<FolderLock> lock);
  Status OpenFamilies(const DatabaseOptions& options);
  bool HasRoomToRecover() const;

  const std::string path_;
  const std::shared_ptr<FolderLock> lock_;
  std::unique_ptr<rocksdb::DB> db_;
  std::array<rocksdb::ColumnFamilyHandle*, std::size(kFamilies)> handles_{};
  std::vector<rocksdb::ColumnFamilyHandle*> other_handles_;
  std::atomic<bool> closed_ = false;
  std::atomic<bool> failing_ = false;
  std::mutex recovery_;  // One thread tries; the others' writes fail meanwhile.
};

}  // namespace ptxfarm::rocks
