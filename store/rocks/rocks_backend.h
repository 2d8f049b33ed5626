// The backend on RocksDB: what its three faces (blobs, actions, facts) share.
#pragma once

#include <atomic>
#include <memory>

#include "base/clock.h"
#include "store/backend.h"
#include "store/rocks/chunk_files.h"
#include "store/rocks/database.h"
#include "store/rocks/evictor.h"
#include "store/rocks/format.h"
#include "store/rocks/keeper.h"
#include "store/rocks/rocks_options.h"
#include "store/rocks/use_index.h"

namespace ptxfarm::rocks {

// Safe to call from many threads at once.
class RocksBackend final : public Backend {
 public:
  static Result<std::shared_ptr<RocksBackend>> Open(const RocksOptions& options, const Clock& clock,
                                                    const Format& format = kFormat,
                                                    std::shared_ptr<FolderLock> lock = nullptr);
  ~RocksBackend() override;

  Result<std::optional<Digest>> FindBlob(const Sha256& sha256) override;
  StoreFigures Figures() override;
  Status Flush() override;
  Status Close() override;
  void Isolate(const Digest& digest, std::string_view why) override;

  // Takes out an action record that was found damaged.
  void IsolateRecord(const Sha256& action, std::string_view why);

  const RocksOptions& options() const { return options_; }
  const Clock& clock() const { return clock_; }
  Database& database() { return *database_; }
  UseIndex& uses() { return uses_; }
  ChunkFiles& chunk_files() { return chunk_files_; }
  Evictor& evictor() { return evictor_; }
  Keeper& keeper() { return keeper_; }

 private:
  RocksBackend(const RocksOptions& options, const Clock& clock, std::unique_ptr<Database> database);

  void KeepAside(EntryChange& change);
  void TrimQuarantine();

  const RocksOptions options_;
  const Clock& clock_;
  const std::unique_ptr<Database> database_;
  UseIndex uses_;
  ChunkFiles chunk_files_;
  Evictor evictor_;
  std::atomic<u64> quarantined_ = 0;
  Keeper keeper_;  // Last, so that its thread ends before what it works on.
};

}  // namespace ptxfarm::rocks
