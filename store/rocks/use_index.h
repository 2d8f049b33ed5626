// What is kept, how big it is and when it was used last: the `use` family, and its sums in memory.
//
// A use is first noted in memory only, which costs a hit next to nothing, and written in batches
// (Flush). A crash forgets the uses of the last seconds, which makes eviction a little worse and
// nothing else.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/clock.h"
#include "base/result.h"
#include "store/rocks/database.h"
#include "store/rocks/layout.h"

namespace ptxfarm::rocks {

// Sums of what is kept.
struct Kept {
  u64 blobs = 0;
  u64 blob_bytes = 0;
  u64 actions = 0;
  u64 action_bytes = 0;

  u64 bytes() const { return blob_bytes + action_bytes; }
};

class UseIndex;

// The change of one entry, and the right to make it: while it lives no other thread changes that
// entry.
class EntryChange {
 public:
  const Entry& entry() const { return entry_; }
  // What is kept now, if anything.
  const std::optional<UseRow>& row() const { return row_; }
  // What else is to be written with it, in the same instant.
  rocksdb::WriteBatch& batch() { return batch_; }

  // Writes the batch; from then on the entry is kept, used now. `bytes` is that of its value.
  Status Keep(u64 bytes, UploadId upload, bool sync);
  // Writes the batch; from then on the entry isn't kept.
  Status Drop();

 private:
  friend class UseIndex;
  EntryChange(UseIndex& index, const Entry& entry, std::unique_lock<std::mutex> lock)
      : index_(index), entry_(entry), lock_(std::move(lock)) {}

  UseIndex& index_;
  const Entry entry_;
  std::unique_lock<std::mutex> lock_;
  std::optional<UseRow> row_;
  rocksdb::WriteBatch batch_;
};

// Safe to call from many threads at once.
class UseIndex {
 public:
  UseIndex(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  // Counts what is kept. Before anything else.
  Status Load();

  // Whether the entry is kept. If so it counts as used now.
  Result<bool> Use(const Entry& entry);
  // The blob with this hash, if one is kept; it counts as used now.
  Result<std::optional<Digest>> FindBlob(const Sha256& sha256);
  // Counts the entry, which is known to be kept, as used now.
  void Note(const Entry& entry);
  // Whether it was used since the last Flush.
  bool IsNoted(const Entry& entry);
  // Whether Flush is due.
  bool IsFull();

  // Writes down what was noted.
  Status Flush();

  Result<EntryChange> Change(const Entry& entry);

  Kept kept() const;

 private:
  friend class EntryChange;
  using Noted = std::unordered_map<Entry, UseTime>;

  std::size_t StripeOf(const Entry& entry) const { return std::hash<Entry>()(entry) % kStripes; }
  Result<std::optional<UseRow>> Row(const Entry& entry);
  Status WriteUses(std::size_t stripe, const std::vector<std::pair<Entry, UseTime>>& uses);
  void Count(Entry::Kind kind, i64 entries, u64 bytes_before, u64 bytes_after);

  static constexpr std::size_t kStripes = 64;

  Database& database_;
  const Clock& clock_;
  std::array<std::mutex, kStripes> stripes_;  // Who changes an entry's rows holds its stripe.

  std::mutex noted_mutex_;
  Noted noted_;

  std::atomic<u64> blobs_ = 0, blob_bytes_ = 0, actions_ = 0, action_bytes_ = 0;
};

}  // namespace ptxfarm::rocks
