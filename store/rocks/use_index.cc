#include "store/rocks/use_index.h"

#include <vector>

namespace ptxfarm::rocks {
namespace {

// Uses that wait in memory. When there are so many they are written; when writing fails (disk full)
// no more are noted.
constexpr std::size_t kNotedMax = 64 << 10;

// A use so soon after the one on record isn't written: what is asked for all the time would be
// rewritten all the time.
constexpr UseTime kUseGranularityMs = 60'000;

}  // namespace

Status EntryChange::Keep(u64 bytes, UploadId upload, bool sync) {
  const UseRow now{.last_use = UseTimeOf(index_.clock_.WallNow()),
                   .bytes = bytes + kEntryOverheadBytes,
                   .upload = upload};
  rocksdb::ColumnFamilyHandle* const family = index_.database_.handle(Family::kUse);
  if (row_) batch_.Delete(family, UseTimeKey(row_->last_use, entry_));
  batch_.Put(family, UseTimeKey(now.last_use, entry_), {});
  batch_.Put(family, UseKey(entry_), EncodeUseRow(now));
  PTXFARM_RETURN_IF_ERROR(index_.database_.Write(batch_, sync));
  index_.Count(entry_.kind, row_ ? 0 : 1, row_ ? row_->bytes : 0, now.bytes);
  row_ = now;
  return Ok{};
}

Status EntryChange::Drop() {
  if (row_) {
    rocksdb::ColumnFamilyHandle* const family = index_.database_.handle(Family::kUse);
    batch_.Delete(family, UseTimeKey(row_->last_use, entry_));
    batch_.Delete(family, UseKey(entry_));
  }
  PTXFARM_RETURN_IF_ERROR(index_.database_.Write(batch_));
  if (row_) index_.Count(entry_.kind, -1, row_->bytes, 0);
  row_.reset();
  return Ok{};
}

Status UseIndex::Load() {
  const std::unique_ptr<rocksdb::Iterator> rows = database_.NewIterator(Family::kUse);
  for (rows->Seek("k"); rows->Valid() && rows->key().starts_with("k"); rows->Next()) {
    const std::optional<UseRow> row = DecodeUseRow(rows->value().ToStringView());
    if (row) Count(static_cast<Entry::Kind>(rows->key()[1]), 1, 0, row->bytes);
  }
  if (!rows->status().ok()) return database_.ErrorOf(rows->status(), "count what is kept");
  return Ok{};
}

Result<bool> UseIndex::Use(const Entry& entry) {
  PTXFARM_ASSIGN_OR_RETURN(const std::optional<UseRow> row, Row(entry));
  if (row) Note(entry);
  return row.has_value();
}

Result<std::optional<Digest>> UseIndex::FindBlob(const Sha256& sha256) {
  // Sizes sort behind hashes: the first key from size 0 on is the blob's, if there is one.
  const std::unique_ptr<rocksdb::Iterator> rows = database_.NewIterator(Family::kUse);
  rows->Seek(UseKey(BlobEntry({sha256, 0})));
  if (!rows->status().ok()) return database_.ErrorOf(rows->status(), "look for a blob by its hash");
  const std::optional<Entry> found =
      rows->Valid() ? ParseUseKey(rows->key().ToStringView()) : std::nullopt;
  if (!found || found->kind != Entry::Kind::kBlob || found->digest.sha256 != sha256)
    return std::optional<Digest>();
  Note(*found);
  return std::optional<Digest>(found->digest);
}

void UseIndex::Note(const Entry& entry) {
  const UseTime now = UseTimeOf(clock_.WallNow());
  const std::lock_guard lock(noted_mutex_);
  if (noted_.size() < kNotedMax) {
    noted_.insert_or_assign(entry, now);
  } else if (const auto found = noted_.find(entry); found != noted_.end()) {
    found->second = now;
  }
}

bool UseIndex::IsNoted(const Entry& entry) {
  const std::lock_guard lock(noted_mutex_);
  return noted_.contains(entry);
}

bool UseIndex::IsFull() {
  const std::lock_guard lock(noted_mutex_);
  return noted_.size() >= kNotedMax;
}

Status UseIndex::Flush() {
  Noted noted;
  {
    const std::lock_guard lock(noted_mutex_);
    noted.swap(noted_);
  }
  std::array<std::vector<std::pair<Entry, UseTime>>, kStripes> by_stripe;
  for (const auto& [entry, time] : noted) by_stripe[StripeOf(entry)].emplace_back(entry, time);
  for (std::size_t stripe = 0; stripe < kStripes; ++stripe)
    PTXFARM_RETURN_IF_ERROR(WriteUses(stripe, by_stripe[stripe]));
  return Ok{};
}

Status UseIndex::WriteUses(std::size_t stripe, const std::vector<std::pair<Entry, UseTime>>& uses) {
  const std::lock_guard lock(stripes_[stripe]);
  rocksdb::ColumnFamilyHandle* const family = database_.handle(Family::kUse);
  rocksdb::WriteBatch batch;
  for (const auto& [entry, time] : uses) {
    PTXFARM_ASSIGN_OR_RETURN(std::optional<UseRow> row, Row(entry));
    // Evicted meanwhile, or so recent that it doesn't matter.
    if (!row || time < row->last_use + kUseGranularityMs) continue;
    batch.Delete(family, UseTimeKey(row->last_use, entry));
    row->last_use = time;
    batch.Put(family, UseTimeKey(time, entry), {});
    batch.Put(family, UseKey(entry), EncodeUseRow(*row));
  }
  if (batch.Count() == 0) return Ok{};
  return database_.Write(batch);
}

Result<EntryChange> UseIndex::Change(const Entry& entry) {
  EntryChange change(*this, entry, std::unique_lock(stripes_[StripeOf(entry)]));
  PTXFARM_ASSIGN_OR_RETURN(change.row_, Row(entry));
  return change;
}

Kept UseIndex::kept() const { return {blobs_, blob_bytes_, actions_, action_bytes_}; }

Result<std::optional<UseRow>> UseIndex::Row(const Entry& entry) {
  rocksdb::PinnableSlice value;
  const Result<bool> found = database_.Get(Family::kUse, UseKey(entry), value);
  if (found) return *found ? DecodeUseRow(value.ToStringView()) : std::nullopt;
  // What isn't known to be kept is put again, and that mends the row.
  if (found.error().code == Code::kDataLoss) return std::optional<UseRow>();
  return found.error();
}

void UseIndex::Count(Entry::Kind kind, i64 entries, u64 bytes_before, u64 bytes_after) {
  const bool blob = kind == Entry::Kind::kBlob;
  (blob ? blobs_ : actions_) += static_cast<u64>(entries);
  (blob ? blob_bytes_ : action_bytes_) += bytes_after - bytes_before;
}

}  // namespace ptxfarm::rocks
