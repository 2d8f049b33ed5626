#include "store/rocks/database.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include <rocksdb/convenience.h>
#include <rocksdb/listener.h>
#include <rocksdb/write_buffer_manager.h>

#include "store/rocks/engine_log.h"
#include "store/rocks/errors.h"

namespace ptxfarm::rocks {
namespace {

constexpr u64 kMiB = u64{1} << 20;

class ErrorPolicy final : public rocksdb::EventListener {
 public:
  // A compaction that meets a damaged block must not take the whole store out of service: the
  // block's blobs are found damaged when they are read, and made again.
  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override {
    if (reason == rocksdb::BackgroundErrorReason::kCompaction && error->IsCorruption())
      *error = rocksdb::Status::OK();
  }

  // RocksDB's own recovery polls every five seconds, and nobody can ask it to hurry. Ours tries
  // when there is a write.
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }
};

rocksdb::DBOptions OptionsOf(StoreObserver* observer) {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.listeners.push_back(std::make_shared<ErrorPolicy>());
  options.max_bgerror_resume_count = 0;
  options.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(64 * kMiB);
  options.max_total_wal_size = 64 * kMiB;
  options.max_background_jobs = 2;
  options.max_open_files = 2000;
  options.bytes_per_sync =
      kMiB;  // Spreads the writing back, so that a sync at the end finds little left.
  options.info_log = std::make_shared<EngineLog>(observer);
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  return options;
}

// Families beside ours: the one that RocksDB demands, and what a newer version of this program may
// have added. All must be opened before anything, the format version too, can be read.
std::vector<std::string> OtherFamilies(const std::string& path) {
  std::vector<std::string> names;
  if (!rocksdb::DB::ListColumnFamilies({}, path, &names).ok())  // A new database.
    return {rocksdb::kDefaultColumnFamilyName};
  std::erase_if(names, [](const std::string& name) {
    return std::any_of(std::begin(kFamilies), std::end(kFamilies),
                       [&](const FamilyRow& row) { return row.name == name; });
  });
  return names;
}

}  // namespace

Result<std::unique_ptr<Database>> Database::Open(const DatabaseOptions& options,
                                                 std::shared_ptr<FolderLock> lock) {
  if (lock == nullptr) {
    PTXFARM_ASSIGN_OR_RETURN(lock, FolderLock::Take(options.path));
  }
  std::unique_ptr<Database> database(new Database(options.path, std::move(lock)));
  PTXFARM_RETURN_IF_ERROR(database->OpenFamilies(options));
  return database;
}

Database::Database(std::string path, std::shared_ptr<FolderLock> lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}

Status Database::OpenFamilies(const DatabaseOptions& options) {
  const std::shared_ptr<rocksdb::Cache> cache = rocksdb::NewLRUCache(options.cache_bytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const FamilyRow& row : kFamilies)
    descriptors.emplace_back(std::string(row.name), FamilyOptions(row, cache));
  for (const std::string& name : OtherFamilies(FilesOf(path_)))
    descriptors.emplace_back(name, rocksdb::ColumnFamilyOptions());

  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened =
      rocksdb::DB::Open(OptionsOf(options.observer), FilesOf(path_), descriptors, &handles, &db);
  if (!opened.ok()) return ErrorOf(opened, "open the store");
  db_.reset(db);
  const auto others = handles.begin() + std::ssize(handles_);
  std::copy(handles.begin(), others, handles_.begin());
  other_handles_.assign(others, handles.end());
  return Ok{};
}

Database::~Database() {
  if (db_ == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* const handle : handles_)
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  for (rocksdb::ColumnFamilyHandle* const handle : other_handles_)
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  db_->Close().PermitUncheckedError();
}

Result<bool> Database::Get(Family family, std::string_view key, rocksdb::PinnableSlice& value,
                           const rocksdb::ReadOptions& options) {
  if (closed_) return MakeError(Code::kUnavailable, "the store is closed");
  const rocksdb::Status status = db_->Get(options, handle(family), key, &value);
  if (status.ok()) return true;
  if (status.IsNotFound()) return false;
  return ErrorOf(status, "read");
}

std::unique_ptr<rocksdb::Iterator> Database::NewIterator(Family family,
                                                         const rocksdb::ReadOptions& options) {
  return std::unique_ptr<rocksdb::Iterator>(db_->NewIterator(options, handle(family)));
}

Status Database::Write(rocksdb::WriteBatch& batch, bool sync) {
  if (closed_) return MakeError(Code::kUnavailable, "the store is closed");
  rocksdb::WriteOptions options;
  options.sync = sync;
  rocksdb::Status status = db_->Write(options, &batch);
  if (status.ok()) return Ok{};
  failing_ = true;
  if (Recover()) {
    status = db_->Write(options, &batch);
    if (status.ok()) return Ok{};
    failing_ = true;
  }
  return ErrorOf(status, "write");
}

bool Database::Recover() {
  if (!failing_) return true;
  const std::unique_lock lock(recovery_, std::try_to_lock);
  if (!lock || !HasRoomToRecover()) return false;
  if (!failing_) return true;
  if (!db_->Resume().ok()) return false;
  failing_ = false;
  return true;
}

// Going on begins with writing out what is in memory. Where that can't succeed, each try would fill
// the disk again.
bool Database::HasRoomToRecover() const {
  u64 waiting = 0;
  db_->GetAggregatedIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &waiting);
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(path_, error);
  constexpr u64 kMargin = kMiB;  // New log, manifest, table files' indexes.
  return !error && space.available > waiting + kMargin;
}

Error Database::ErrorOf(const rocksdb::Status& status, std::string_view doing) const {
  return ToError(status, doing, path_);
}

Status Database::Sync() {
  if (const rocksdb::Status status = db_->SyncWAL(); !status.ok()) return ErrorOf(status, "sync");
  return Ok{};
}

u64 Database::disk_bytes() const {
  u64 sum = 0;
  for (rocksdb::ColumnFamilyHandle* const handle : handles_) {
    for (const std::string& property : {rocksdb::DB::Properties::kTotalSstFilesSize,
                                        rocksdb::DB::Properties::kTotalBlobFileSize}) {
      u64 bytes = 0;
      if (db_->GetIntProperty(handle, property, &bytes)) sum += bytes;
    }
  }
  return sum;
}

}  // namespace ptxfarm::rocks
