#include "store/rocks/rocks_action_cache.h"

#include "store/rocks/layout.h"

namespace ptxfarm::rocks {

Result<std::optional<ActionRecord>> RocksActionCache::Get(const Sha256& action) {
  Result<Found> found = Read(action);
  if (!found) {
    if (found.error().code != Code::kDataLoss) return std::move(found).error();
    backend_->IsolateRecord(action, found.error().message);
    return std::optional<ActionRecord>();
  }
  // That a stale record can't be removed (disk full) makes it no less stale.
  if (found->must_go) (void)RemoveIfStale(action).has_value();
  if (found->record) backend_->uses().Note(ActionEntry(action));
  if (backend_->uses().IsFull()) backend_->keeper().Wake();
  return std::move(found->record);
}

Status RocksActionCache::Put(const Sha256& action, const ActionRecord& record) {
  for (const Digest& output : record.outputs) {
    PTXFARM_ASSIGN_OR_RETURN(const bool kept, backend_->uses().Use(BlobEntry(output)));
    if (!kept)
      return MakeError(Code::kFailedPrecondition, "action {}: its output {} is not in the store",
                       HexOf(action), output);
  }
  const std::string value = EncodeRecord(record);
  {
    PTXFARM_ASSIGN_OR_RETURN(EntryChange change, backend_->uses().Change(ActionEntry(action)));
    change.batch().Put(backend_->database().handle(Family::kActions), ActionKey(action), value);
    PTXFARM_RETURN_IF_ERROR(change.Keep(value.size(), 0, backend_->options().sync_actions));
  }
  (void)backend_->keeper().MakeRoom().has_value();  // As after a blob.
  return Ok{};
}

Status RocksActionCache::Remove(const Sha256& action) {
  PTXFARM_ASSIGN_OR_RETURN(EntryChange change, backend_->uses().Change(ActionEntry(action)));
  if (!change.row()) return Ok{};
  return backend_->evictor().Remove(change);
}

Result<RocksActionCache::Found> RocksActionCache::Read(const Sha256& action) {
  rocksdb::PinnableSlice value;
  PTXFARM_ASSIGN_OR_RETURN(const bool found,
                           backend_->database().Get(Family::kActions, ActionKey(action), value));
  if (!found) return Found{};
  PTXFARM_ASSIGN_OR_RETURN(ActionRecord record, DecodeRecord(value.ToStringView()));
  if (record.expires && *record.expires <= backend_->clock().WallNow())
    return Found{.must_go = true};
  for (const Digest& output : record.outputs) {
    PTXFARM_ASSIGN_OR_RETURN(const bool kept, backend_->uses().Use(BlobEntry(output)));
    if (!kept) return Found{.must_go = true};
  }
  return Found{.record = std::move(record)};
}

// Looks again under the entry's lock: a good record may have been put since.
Status RocksActionCache::RemoveIfStale(const Sha256& action) {
  PTXFARM_ASSIGN_OR_RETURN(EntryChange change, backend_->uses().Change(ActionEntry(action)));
  PTXFARM_ASSIGN_OR_RETURN(const Found found, Read(action));
  return found.must_go ? backend_->evictor().Remove(change) : Status(Ok{});
}

}  // namespace ptxfarm::rocks
