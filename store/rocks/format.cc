#include "store/rocks/format.h"

#include <charconv>
#include <optional>

#include "store/rocks/layout.h"

namespace ptxfarm::rocks {
namespace {

// Nothing in a new database.
Result<std::optional<u32>> VersionIn(Database& database) {
  rocksdb::PinnableSlice value;
  PTXFARM_ASSIGN_OR_RETURN(const bool found, database.Get(Family::kMeta, kFormatVersionKey, value));
  if (!found) return std::optional<u32>();
  u32 version = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), version);
  if (error != std::errc() || end != value.data() + value.size())
    return MakeError(Code::kDataLoss, "the format version of the store in {} is unreadable",
                     database.path());
  return std::optional<u32>(version);
}

Status WriteVersion(Database& database, rocksdb::WriteBatch& batch, u32 version) {
  batch.Put(database.handle(Family::kMeta), kFormatVersionKey, std::to_string(version));
  return database.Write(batch, /*sync=*/true);
}

Status MigrateFrom(u32 version, const Format& format, Database& database) {
  for (const Migration& migration : format.migrations) {
    if (migration.from != version) continue;
    rocksdb::WriteBatch batch;
    PTXFARM_RETURN_IF_ERROR(migration.migrate(database, batch));
    return WriteVersion(database, batch, version + 1);
  }
  return MakeError(Code::kFailedPrecondition,
                   "the store in {} has format version {}, too old for this program (which writes "
                   "{}); move it away and start again",
                   database.path(), version, format.version);
}

}  // namespace

Status BringTo(const Format& format, Database& database) {
  PTXFARM_ASSIGN_OR_RETURN(const std::optional<u32> found, VersionIn(database));
  if (!found) {
    rocksdb::WriteBatch batch;
    return WriteVersion(database, batch, format.version);
  }
  if (*found > format.version)
    return MakeError(Code::kFailedPrecondition,
                     "the store in {} has format version {}, and this program knows versions up to "
                     "{}; use the newer program, or another folder",
                     database.path(), *found, format.version);
  for (u32 version = *found; version < format.version; ++version)
    PTXFARM_RETURN_IF_ERROR(MigrateFrom(version, format, database));
  return Ok{};
}

}  // namespace ptxfarm::rocks
