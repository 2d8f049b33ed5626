#include "store/rocks/rocks_fact_store.h"

#include <algorithm>

#include "store/rocks/layout.h"

namespace ptxfarm::rocks {
namespace {

std::size_t IndexOf(FactKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

Result<std::unique_ptr<RocksFactStore>> RocksFactStore::Open(
    std::shared_ptr<RocksBackend> backend) {
  std::unique_ptr<RocksFactStore> facts(new RocksFactStore(std::move(backend)));
  PTXFARM_RETURN_IF_ERROR(facts->Load());
  return facts;
}

Status RocksFactStore::Load() {
  Database& database = backend_->database();
  for (const FactKindRow& row : kFactKinds) {
    const std::unique_ptr<rocksdb::Iterator> puts = database.NewIterator(Family::kFacts);
    for (puts->Seek(FactAgeKey(row.kind, 0)); puts->Valid(); puts->Next()) {
      const std::optional<u64> put = ParseFactAgeKey(row.kind, puts->key().ToStringView());
      if (!put) break;
      if (counts_[IndexOf(row.kind)]++ == 0) oldest_[IndexOf(row.kind)] = *put;
      next_put_ = std::max(next_put_, *put + 1);
    }
    if (!puts->status().ok()) return database.ErrorOf(puts->status(), "count facts");
  }
  return Ok{};
}

Result<std::optional<std::string>> RocksFactStore::Get(FactKind kind, std::string_view key) {
  PTXFARM_ASSIGN_OR_RETURN(std::optional<Fact> fact, Find(kind, key));
  if (!fact) return std::optional<std::string>();
  return std::optional<std::string>(std::move(fact->value));
}

Status RocksFactStore::Put(FactKind kind, std::string_view key, std::string_view value) {
  PTXFARM_RETURN_IF_ERROR(CheckFact(key, value));
  Database& database = backend_->database();
  rocksdb::ColumnFamilyHandle* const family = database.handle(Family::kFacts);
  const std::lock_guard lock(mutex_);
  rocksdb::WriteBatch batch;
  PTXFARM_ASSIGN_OR_RETURN(const std::optional<Fact> before, Find(kind, key));
  if (before) batch.Delete(family, FactAgeKey(kind, before->put));
  u64& count = counts_[IndexOf(kind)];
  const bool full = !before && count >= kFactKinds[IndexOf(kind)].entries_max;
  if (full) PTXFARM_RETURN_IF_ERROR(ForgetOldest(kind, batch));
  batch.Put(family, FactKey(kind, key), EncodeFact(next_put_, value));
  batch.Put(family, FactAgeKey(kind, next_put_), key);
  PTXFARM_RETURN_IF_ERROR(database.Write(batch));
  ++next_put_;
  if (!before && !full) ++count;
  return Ok{};
}

Status RocksFactStore::Remove(FactKind kind, std::string_view key) {
  Database& database = backend_->database();
  rocksdb::ColumnFamilyHandle* const family = database.handle(Family::kFacts);
  const std::lock_guard lock(mutex_);
  PTXFARM_ASSIGN_OR_RETURN(const std::optional<Fact> fact, Find(kind, key));
  if (!fact) return Ok{};
  rocksdb::WriteBatch batch;
  batch.Delete(family, FactAgeKey(kind, fact->put));
  batch.Delete(family, FactKey(kind, key));
  PTXFARM_RETURN_IF_ERROR(database.Write(batch));
  --counts_[IndexOf(kind)];
  return Ok{};
}

Result<std::vector<std::pair<std::string, std::string>>> RocksFactStore::List(FactKind kind,
                                                                              std::size_t limit) {
  if (backend_->database().closed()) return MakeError(Code::kUnavailable, "the store is closed");
  std::vector<std::pair<std::string, std::string>> facts;
  const std::unique_ptr<rocksdb::Iterator> puts = backend_->database().NewIterator(Family::kFacts);
  for (puts->SeekForPrev(FactAgeKey(kind, ~u64{0})); puts->Valid() && facts.size() < limit;
       puts->Prev()) {
    if (!ParseFactAgeKey(kind, puts->key().ToStringView())) break;
    std::string key = puts->value().ToString();
    PTXFARM_ASSIGN_OR_RETURN(std::optional<Fact> fact, Find(kind, key));
    if (fact) facts.emplace_back(std::move(key), std::move(fact->value));
  }
  if (!puts->status().ok()) return backend_->database().ErrorOf(puts->status(), "list facts");
  return facts;
}

Result<std::optional<RocksFactStore::Fact>> RocksFactStore::Find(FactKind kind,
                                                                 std::string_view key) {
  rocksdb::PinnableSlice value;
  const Result<bool> found = backend_->database().Get(Family::kFacts, FactKey(kind, key), value);
  if (!found) {
    // A fact that can't be read can be found out again.
    if (found.error().code == Code::kDataLoss) return std::optional<Fact>();
    return found.error();
  }
  if (!*found) return std::optional<Fact>();
  const std::optional<StoredFact> stored = DecodeFact(value.ToStringView());
  if (!stored) return std::optional<Fact>();
  return std::optional<Fact>(Fact{stored->put, std::string(stored->value)});
}

Status RocksFactStore::ForgetOldest(FactKind kind, rocksdb::WriteBatch& batch) {
  Database& database = backend_->database();
  rocksdb::ColumnFamilyHandle* const family = database.handle(Family::kFacts);
  const std::unique_ptr<rocksdb::Iterator> puts = database.NewIterator(Family::kFacts);
  // From the last one forgotten on, so as not to wade through all that went before.
  puts->Seek(FactAgeKey(kind, oldest_[IndexOf(kind)]));
  if (!puts->status().ok()) return database.ErrorOf(puts->status(), "forget a fact");
  if (!puts->Valid()) return Ok{};
  const std::optional<u64> put = ParseFactAgeKey(kind, puts->key().ToStringView());
  if (!put) return Ok{};
  oldest_[IndexOf(kind)] = *put;
  batch.Delete(family, FactKey(kind, puts->value().ToStringView()));
  batch.Delete(family, puts->key());
  return Ok{};
}

}  // namespace ptxfarm::rocks
