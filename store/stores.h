// Opens the store that a process works with: a backend and the wrappers around it.
//
//   caller → metrics → memory tier → digest check → size limit → RocksDB, or memory alone
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/int.h"
#include "base/result.h"
#include "store/action_cache.h"
#include "store/blob_store.h"
#include "store/fact_store.h"
#include "store/figures.h"

namespace ptxfarm {

class StoreObserver;

struct StoreOptions {
  // The folder of the database; made where it isn't. Empty: everything in memory, nothing remains.
  std::string path;
  u64 bytes_max = u64{20} << 30;  // Cap on what is kept; least recently used goes first. 0: no cap.
  std::chrono::seconds age_max{0};       // What wasn't used for so long goes too. 0: never for age.
  u64 blob_bytes_max = u64{4} << 30;     // Plain bytes of one blob.
  u64 action_bytes_max = u64{16} << 20;  // Bytes of one action record.
  u64 memory_bytes_max =
      u64{256} << 20;               // Memory tier: verified blobs and action records. 0: none.
  u64 cache_bytes = u64{64} << 20;  // RocksDB's own cache of blocks and values.
  bool sync_actions =
      false;  // Action records (and so their blobs) survive power loss; each costs an fsync.
};

class Store {
 public:
  virtual ~Store() = default;

  virtual BlobStore& blobs() = 0;
  virtual ActionCache& actions() = 0;
  virtual FactStore& facts() = 0;

  // The whole digest of a blob that is kept, for protocols that name blobs by their hash alone. It
  // counts as used now. Nothing where there is none.
  virtual Result<std::optional<Digest>> FindBlob(const Sha256& sha256) = 0;

  // For status and metrics; cheap.
  virtual StoreFigures Figures() = 0;

  // Brings everything to the disk that waits in memory (last uses, the log) and evicts what is over
  // the cap.
  virtual Status Flush() = 0;

  // Flushes and stops the background work. Afterwards every call is UNAVAILABLE; the folder is free
  // for another process when the store is destroyed.
  virtual Status Close() = 0;
};

// `clock` and `observer` must outlive the store; no observer, no observations.
//
// FAILED_PRECONDITION: another process has the folder, or it was written by a newer version; the
// message says what to do. RESOURCE_EXHAUSTED: the disk is full. A database that is damaged beyond
// reading is no error: it is set aside (PATH/db.damaged), the observer is told, and the store
// begins empty, as all that it keeps can be made again.
Result<std::unique_ptr<Store>> OpenStore(const StoreOptions& options, const Clock& clock,
                                         StoreObserver* observer = nullptr);

}  // namespace ptxfarm
