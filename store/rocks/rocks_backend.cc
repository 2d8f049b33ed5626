#include "store/rocks/rocks_backend.h"

#include "store/observer.h"
#include "store/rocks/layout.h"

namespace ptxfarm::rocks {
namespace {

// Damaged manifests kept aside: enough to see a pattern, and at most as many MiB (kInlineBytesMax).
constexpr std::size_t kQuarantineEntriesMax = 32;

}  // namespace

Result<std::shared_ptr<RocksBackend>> RocksBackend::Open(const RocksOptions& options,
                                                         const Clock& clock, const Format& format,
                                                         std::shared_ptr<FolderLock> lock) {
  PTXFARM_ASSIGN_OR_RETURN(
      std::unique_ptr<Database> database,
      Database::Open(
          {.path = options.path, .cache_bytes = options.cache_bytes, .observer = options.observer},
          std::move(lock)));
  PTXFARM_RETURN_IF_ERROR(BringTo(format, *database));
  std::shared_ptr<RocksBackend> backend(new RocksBackend(options, clock, std::move(database)));
  PTXFARM_RETURN_IF_ERROR(backend->chunk_files_.Load());
  PTXFARM_RETURN_IF_ERROR(backend->uses_.Load());
  backend->keeper_.Start();
  return backend;
}

RocksBackend::RocksBackend(const RocksOptions& options, const Clock& clock,
                           std::unique_ptr<Database> database)
    : options_(options),
      clock_(clock),
      database_(std::move(database)),
      uses_(*database_, clock),
      chunk_files_(*database_),
      evictor_(options_, *database_, uses_, chunk_files_, clock),
      keeper_(*database_, uses_, evictor_, options_.observer) {}

RocksBackend::~RocksBackend() {
  keeper_.Stop();
  // The last uses are all that can be lost here; who wants to know of errors calls Close.
  (void)uses_.Flush().has_value();
}

Result<std::optional<Digest>> RocksBackend::FindBlob(const Sha256& sha256) {
  if (database_->closed()) return MakeError(Code::kUnavailable, "the store is closed");
  return uses_.FindBlob(sha256);
}

StoreFigures RocksBackend::Figures() {
  const Kept kept = uses_.kept();
  const Evicted evicted = evictor_.evicted();
  return {.blobs = kept.blobs,
          .blob_bytes = kept.blob_bytes,
          .actions = kept.actions,
          .action_bytes = kept.action_bytes,
          .bytes_max = options_.bytes_max,
          .disk_bytes = database_->disk_bytes(),
          .evicted_blobs = evicted.blobs,
          .evicted_actions = evicted.actions,
          .evicted_bytes = evicted.bytes,
          .quarantined = quarantined_,
          .format_version = kFormat.version,
          .writable = database_->writable()};
}

Status RocksBackend::Flush() {
  if (database_->closed()) return MakeError(Code::kUnavailable, "the store is closed");
  PTXFARM_RETURN_IF_ERROR(keeper_.Round());
  return database_->Sync();
}

Status RocksBackend::Close() {
  keeper_.Stop();
  Status flushed = Flush();
  database_->Close();
  return flushed;
}

void RocksBackend::Isolate(const Digest& digest, std::string_view why) {
  ++quarantined_;
  if (options_.observer != nullptr) options_.observer->Isolated(digest.sha256, why);
  Result<EntryChange> change = uses_.Change(BlobEntry(digest));
  if (!change) return;
  KeepAside(*change);
  if (evictor_.Remove(*change)) TrimQuarantine();
}

void RocksBackend::IsolateRecord(const Sha256& action, std::string_view why) {
  ++quarantined_;
  if (options_.observer != nullptr) options_.observer->Isolated(action, why);
  Result<EntryChange> change = uses_.Change(ActionEntry(action));
  // Where this fails the record stays, is found damaged again and is never served.
  if (change) (void)evictor_.Remove(*change).has_value();
}

// The manifest, which for all but large blobs is the blob. What RocksDB can't read at all leaves
// nothing to look at.
void RocksBackend::KeepAside(EntryChange& change) {
  const Digest& digest = change.entry().digest;
  rocksdb::PinnableSlice value;
  const Result<bool> found = database_->Get(Family::kBlobs, DigestKey(digest), value);
  if (!found || !*found) return;
  change.batch().Put(database_->handle(Family::kMeta),
                     QuarantineKey(UseTimeOf(clock_.WallNow()), digest), value);
}

void RocksBackend::TrimQuarantine() {
  std::vector<std::string> keys;
  const std::unique_ptr<rocksdb::Iterator> rows = database_->NewIterator(Family::kMeta);
  for (rows->Seek(kQuarantinePrefix); rows->Valid() && rows->key().starts_with(kQuarantinePrefix);
       rows->Next())
    keys.push_back(rows->key().ToString());
  if (keys.size() <= kQuarantineEntriesMax) return;
  rocksdb::WriteBatch batch;
  for (std::size_t i = 0; i < keys.size() - kQuarantineEntriesMax; ++i)
    batch.Delete(database_->handle(Family::kMeta), keys[i]);
  (void)database_->Write(batch).has_value();  // The next one trims again.
}

}  // namespace ptxfarm::rocks
