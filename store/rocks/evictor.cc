#include "store/rocks/evictor.h"

namespace ptxfarm::rocks {

u64 Evictor::BytesHeld() const { return uses_.kept().bytes() + chunk_files_.bytes_under_way(); }

bool Evictor::IsOver() const { return options_.bytes_max != 0 && BytesHeld() > options_.bytes_max; }

bool Evictor::IsFarOver() const {
  return options_.bytes_max != 0 && BytesHeld() > options_.bytes_max + options_.bytes_max / 10;
}

Status Evictor::Evict() {
  // A little below the cap, so that not every write over it evicts.
  const u64 bytes_goal = IsOver() ? options_.bytes_max - options_.bytes_max / 20 : ~u64{0};
  const UseTime oldest =
      options_.age_max.count() == 0 ? 0 : UseTimeOf(clock_.WallNow() - options_.age_max);
  rocksdb::ReadOptions read;
  read.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> rows = database_.NewIterator(Family::kUse, read);
  for (rows->Seek("t"); rows->Valid(); rows->Next()) {
    const std::optional<TimedEntry> candidate = ParseUseTimeKey(rows->key().ToStringView());
    if (!candidate || !MustGo(candidate->time, bytes_goal, oldest)) break;
    PTXFARM_RETURN_IF_ERROR(EvictEntry(*candidate));
  }
  if (!rows->status().ok()) return database_.ErrorOf(rows->status(), "evict");
  return Ok{};
}

bool Evictor::MustGo(UseTime last_use, u64 bytes_goal, UseTime oldest) const {
  return BytesHeld() > bytes_goal || last_use < oldest;
}

Status Evictor::EvictEntry(const TimedEntry& candidate) {
  PTXFARM_ASSIGN_OR_RETURN(EntryChange change, uses_.Change(candidate.entry));
  // The rows are those of when the iterator was made: it may be gone, or may have been used.
  if (!change.row() || change.row()->last_use != candidate.time) return Ok{};
  if (uses_.IsNoted(candidate.entry)) return Ok{};
  const u64 bytes = change.row()->bytes;
  PTXFARM_RETURN_IF_ERROR(Remove(change));
  ++(candidate.entry.kind == Entry::Kind::kBlob ? blobs_ : actions_);
  bytes_ += bytes;
  return Ok{};
}

Status Evictor::Remove(EntryChange& change) {
  const Digest& digest = change.entry().digest;
  if (change.entry().kind == Entry::Kind::kAction) {
    change.batch().Delete(database_.handle(Family::kActions), ActionKey(digest.sha256));
    return change.Drop();
  }
  const UploadId upload = change.row() ? change.row()->upload : 0;
  change.batch().Delete(database_.handle(Family::kBlobs), DigestKey(digest));
  if (upload != 0) chunk_files_.Disown(change.batch(), upload);
  PTXFARM_RETURN_IF_ERROR(change.Drop());
  return upload != 0 ? chunk_files_.Delete(upload) : Status(Ok{});
}

}  // namespace ptxfarm::rocks
