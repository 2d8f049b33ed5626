#include "store/memory_store.h"

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <variant>

#include "store/blob_shape.h"
#include "store/entry.h"
#include "store/lru_map.h"
#include "store/observer.h"

namespace ptxfarm {
namespace {

// Chunks are shared and so a copy under the lock is of pointers only.
class MemoryBackend final : public Backend {
 public:
  MemoryBackend(const MemoryOptions& options, const Clock& clock)
      : options_(options), clock_(clock) {}

  StoreFigures Figures() override;
  Status Flush() override;
  Status Close() override;
  void Isolate(const Digest& digest, std::string_view why) override;

  Result<std::optional<Digest>> FindBlob(const Sha256& sha256) override;
  Result<std::optional<Blob>> FindBlob(const Digest& digest);
  Status KeepBlob(const Blob& blob);
  Status CheckCap(const Digest& digest, u64 stored_bytes) const;
  Result<bool> Use(const Entry& entry);
  Result<std::optional<ActionRecord>> FindRecord(const Sha256& action);
  Status KeepRecord(const Sha256& action, const ActionRecord& record);
  Status RemoveRecord(const Sha256& action);

 private:
  struct Value {
    std::variant<Blob, ActionRecord> what;
    WallTime last_use;
  };
  using Entries = LruMap<Entry, Value>;

  // All of these with the lock held.
  Status CheckOpen() const;
  Value* UseLocked(const Entry& entry);
  void Keep(const Entry& entry, std::variant<Blob, ActionRecord> what, u64 bytes);
  bool Remove(const Entry& entry);
  void Evict();

  const MemoryOptions options_;
  const Clock& clock_;
  std::mutex mutex_;
  Entries entries_;
  std::map<Sha256, u64> blob_sizes_;  // Of the blobs among the entries.
  StoreFigures figures_;              // Counts; sums of bytes are the map's.
  bool closed_ = false;
};

StoreFigures MemoryBackend::Figures() {
  const std::lock_guard lock(mutex_);
  StoreFigures figures = figures_;
  figures.bytes_max = options_.bytes_max;
  return figures;
}

Status MemoryBackend::Flush() {
  const std::lock_guard lock(mutex_);
  PTXFARM_RETURN_IF_ERROR(CheckOpen());
  Evict();
  return Ok{};
}

Status MemoryBackend::Close() {
  PTXFARM_RETURN_IF_ERROR(Flush());
  const std::lock_guard lock(mutex_);
  closed_ = true;
  return Ok{};
}

void MemoryBackend::Isolate(const Digest& digest, std::string_view why) {
  if (options_.observer != nullptr) options_.observer->Isolated(digest.sha256, why);
  const std::lock_guard lock(mutex_);
  ++figures_.quarantined;
  Remove(BlobEntry(digest));
}

Result<std::optional<Digest>> MemoryBackend::FindBlob(const Sha256& sha256) {
  const std::lock_guard lock(mutex_);
  PTXFARM_RETURN_IF_ERROR(CheckOpen());
  const auto size = blob_sizes_.find(sha256);
  if (size == blob_sizes_.end()) return std::optional<Digest>();
  const Digest digest{sha256, size->second};
  UseLocked(BlobEntry(digest));
  return std::optional<Digest>(digest);
}

Result<std::optional<Blob>> MemoryBackend::FindBlob(const Digest& digest) {
  const std::lock_guard lock(mutex_);
  PTXFARM_RETURN_IF_ERROR(CheckOpen());
  const Value* const value = UseLocked(BlobEntry(digest));
  if (value == nullptr) return std::optional<Blob>();
  return std::optional<Blob>(std::get<Blob>(value->what));
}

Status MemoryBackend::CheckCap(const Digest& digest, u64 stored_bytes) const {
  if (options_.bytes_max == 0 || stored_bytes <= options_.bytes_max) return Ok{};
  return MakeError(Code::kResourceExhausted,
                   "blob {} takes more than the {} bytes that the whole store may have", digest,
                   options_.bytes_max);
}

Status MemoryBackend::KeepBlob(const Blob& blob) {
  const std::lock_guard lock(mutex_);
  PTXFARM_RETURN_IF_ERROR(CheckOpen());
  const Entry entry = BlobEntry(blob.digest);
  if (UseLocked(entry) == nullptr) Keep(entry, blob, blob.stored_bytes());
  return Ok{};
}

Result<bool> MemoryBackend::Use(const Entry& entry) {
  const std::lock_guard lock(mutex_);
  PTXFARM_RETURN_IF_ERROR(CheckOpen());
  return UseLocked(entry) != nullptr;
}

Result<std::optional<ActionRecord>> MemoryBackend::FindRecord(const Sha256& action) {
  const std::lock_guard lock(mutex_);
  PTXFARM_RETURN_IF_ERROR(CheckOpen());
  const Value* const value = UseLocked(ActionEntry(action));
  if (value == nullptr) return std::optional<ActionRecord>();
  const ActionRecord& record = std::get<ActionRecord>(value->what);
  bool stale = record.expires && *record.expires <= clock_.WallNow();
  for (const Digest& output : record.outputs)
    stale = stale || UseLocked(BlobEntry(output)) == nullptr;
  if (!stale) return std::optional<ActionRecord>(record);
  Remove(ActionEntry(action));
  return std::optional<ActionRecord>();
}

Status MemoryBackend::KeepRecord(const Sha256& action, const ActionRecord& record) {
  const std::lock_guard lock(mutex_);
  PTXFARM_RETURN_IF_ERROR(CheckOpen());
  for (const Digest& output : record.outputs)
    if (UseLocked(BlobEntry(output)) == nullptr)
      return MakeError(Code::kFailedPrecondition, "action {}: its output {} is not in the store",
                       HexOf(action), output);
  Remove(ActionEntry(action));
  Keep(ActionEntry(action), record, record.bytes.size() + record.outputs.size() * sizeof(Digest));
  return Ok{};
}

Status MemoryBackend::RemoveRecord(const Sha256& action) {
  const std::lock_guard lock(mutex_);
  PTXFARM_RETURN_IF_ERROR(CheckOpen());
  Remove(ActionEntry(action));
  return Ok{};
}

Status MemoryBackend::CheckOpen() const {
  if (closed_) return MakeError(Code::kUnavailable, "the store is closed");
  return Ok{};
}

MemoryBackend::Value* MemoryBackend::UseLocked(const Entry& entry) {
  Entries::Item* const item = entries_.Use(entry);
  if (item == nullptr) return nullptr;
  item->value.last_use = clock_.WallNow();
  return &item->value;
}

void MemoryBackend::Keep(const Entry& entry, std::variant<Blob, ActionRecord> what, u64 bytes) {
  bytes += kEntryOverheadBytes;
  const bool blob = entry.kind == Entry::Kind::kBlob;
  ++(blob ? figures_.blobs : figures_.actions);
  (blob ? figures_.blob_bytes : figures_.action_bytes) += bytes;
  if (blob) blob_sizes_[entry.digest.sha256] = entry.digest.size_bytes;
  entries_.Put(entry, {std::move(what), clock_.WallNow()}, bytes);
  Evict();
}

bool MemoryBackend::Remove(const Entry& entry) {
  const Entries::Item* const item = entries_.Use(entry);
  if (item == nullptr) return false;
  const bool blob = entry.kind == Entry::Kind::kBlob;
  --(blob ? figures_.blobs : figures_.actions);
  (blob ? figures_.blob_bytes : figures_.action_bytes) -= item->bytes;
  if (blob) blob_sizes_.erase(entry.digest.sha256);
  return entries_.Remove(entry);
}

void MemoryBackend::Evict() {
  const WallTime now = clock_.WallNow();
  while (const Entries::Item* const oldest = entries_.Oldest()) {
    const bool over = options_.bytes_max != 0 && entries_.bytes() > options_.bytes_max;
    const bool old =
        options_.age_max.count() != 0 && now - oldest->value.last_use > options_.age_max;
    if (!over && !old) break;
    const Entry entry = oldest->key;
    ++(entry.kind == Entry::Kind::kBlob ? figures_.evicted_blobs : figures_.evicted_actions);
    figures_.evicted_bytes += oldest->bytes;
    Remove(entry);
  }
}

class MemoryBlobWriter final : public BlobWriter {
 public:
  MemoryBlobWriter(std::shared_ptr<MemoryBackend> backend, const Digest& digest)
      : backend_(std::move(backend)), blob_{.digest = digest}, shape_(digest) {}

  Status Append(Chunk chunk) override {
    PTXFARM_RETURN_IF_ERROR(shape_.Add(chunk));
    stored_bytes_ += chunk.bytes->size();
    PTXFARM_RETURN_IF_ERROR(backend_->CheckCap(blob_.digest, stored_bytes_));
    blob_.chunks.push_back(std::move(chunk));
    return Ok{};
  }

  Status Commit() override {
    PTXFARM_RETURN_IF_ERROR(shape_.Finish());
    return backend_->KeepBlob(blob_);
  }

 private:
  const std::shared_ptr<MemoryBackend> backend_;
  Blob blob_;
  BlobShape shape_;
  u64 stored_bytes_ = 0;
};

class MemoryBlobStore final : public BlobStore {
 public:
  explicit MemoryBlobStore(std::shared_ptr<MemoryBackend> backend) : backend_(std::move(backend)) {}

  Result<Blob> Get(const Digest& digest) override {
    PTXFARM_ASSIGN_OR_RETURN(std::optional<Blob> blob, backend_->FindBlob(digest));
    if (!blob) return MakeError(Code::kNotFound, "blob {} is not in the store", digest);
    return *std::move(blob);
  }

  Status Put(const Blob& blob) override {
    MemoryBlobWriter writer(backend_, blob.digest);
    for (const Chunk& chunk : blob.chunks) PTXFARM_RETURN_IF_ERROR(writer.Append(chunk));
    return writer.Commit();
  }

  Result<std::unique_ptr<BlobReader>> Open(const Digest& digest) override {
    PTXFARM_ASSIGN_OR_RETURN(Blob blob, Get(digest));
    return std::unique_ptr<BlobReader>(std::make_unique<ChunkReader>(std::move(blob.chunks)));
  }

  Result<std::unique_ptr<BlobWriter>> Create(const Digest& digest) override {
    return std::unique_ptr<BlobWriter>(std::make_unique<MemoryBlobWriter>(backend_, digest));
  }

  Result<std::vector<Digest>> FindMissing(std::span<const Digest> digests) override {
    std::vector<Digest> missing;
    for (const Digest& digest : digests) {
      PTXFARM_ASSIGN_OR_RETURN(const bool kept, backend_->Use(BlobEntry(digest)));
      if (!kept) missing.push_back(digest);
    }
    return missing;
  }

 private:
  const std::shared_ptr<MemoryBackend> backend_;
};

class MemoryActionCache final : public ActionCache {
 public:
  explicit MemoryActionCache(std::shared_ptr<MemoryBackend> backend)
      : backend_(std::move(backend)) {}

  Result<std::optional<ActionRecord>> Get(const Sha256& action) override {
    return backend_->FindRecord(action);
  }
  Status Put(const Sha256& action, const ActionRecord& record) override {
    return backend_->KeepRecord(action, record);
  }
  Status Remove(const Sha256& action) override { return backend_->RemoveRecord(action); }

 private:
  const std::shared_ptr<MemoryBackend> backend_;
};

class MemoryFactStore final : public FactStore {
 public:
  Result<std::optional<std::string>> Get(FactKind kind, std::string_view key) override {
    const std::lock_guard lock(mutex_);
    const Facts& facts = FactsOf(kind);
    const auto found = facts.by_key.find(std::string(key));
    if (found == facts.by_key.end()) return std::optional<std::string>();
    return std::optional<std::string>(found->second->second);
  }

  Status Put(FactKind kind, std::string_view key, std::string_view value) override {
    PTXFARM_RETURN_IF_ERROR(CheckFact(key, value));
    const std::lock_guard lock(mutex_);
    Facts& facts = FactsOf(kind);
    Forget(facts, std::string(key));
    facts.by_age.emplace_front(key, value);
    facts.by_key[std::string(key)] = facts.by_age.begin();
    if (facts.by_age.size() > kFactKinds[static_cast<std::size_t>(kind)].entries_max)
      Forget(facts, std::string(facts.by_age.back().first));
    return Ok{};
  }

  Status Remove(FactKind kind, std::string_view key) override {
    const std::lock_guard lock(mutex_);
    Forget(FactsOf(kind), std::string(key));
    return Ok{};
  }

  Result<std::vector<std::pair<std::string, std::string>>> List(FactKind kind,
                                                                std::size_t limit) override {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<std::string, std::string>> list;
    for (const auto& fact : FactsOf(kind).by_age) {
      if (list.size() == limit) break;
      list.push_back(fact);
    }
    return list;
  }

 private:
  struct Facts {
    std::list<std::pair<std::string, std::string>> by_age;  // Youngest first.
    std::unordered_map<std::string, decltype(by_age)::iterator> by_key;
  };

  Facts& FactsOf(FactKind kind) { return facts_[static_cast<std::size_t>(kind)]; }

  static void Forget(Facts& facts, const std::string& key) {
    const auto found = facts.by_key.find(key);
    if (found == facts.by_key.end()) return;
    facts.by_age.erase(found->second);
    facts.by_key.erase(found);
  }

  std::mutex mutex_;
  std::array<Facts, std::size(kFactKinds)> facts_;
};

}  // namespace

BackendParts MakeMemoryStore(const MemoryOptions& options, const Clock& clock) {
  const auto backend = std::make_shared<MemoryBackend>(options, clock);
  return {.blobs = std::make_unique<MemoryBlobStore>(backend),
          .actions = std::make_unique<MemoryActionCache>(backend),
          .facts = std::make_unique<MemoryFactStore>(),
          .backend = backend};
}

}  // namespace ptxfarm
