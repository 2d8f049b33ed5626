// Takes out what is over the cap or too old, the least recently used first; and takes out anything
// else that must go.
#pragma once

#include <atomic>

#include "base/clock.h"
#include "base/result.h"
#include "store/rocks/chunk_files.h"
#include "store/rocks/database.h"
#include "store/rocks/rocks_options.h"
#include "store/rocks/use_index.h"

namespace ptxfarm::rocks {

struct Evicted {
  u64 blobs = 0;
  u64 actions = 0;
  u64 bytes = 0;
};

// Safe to call from many threads at once.
class Evictor {
 public:
  Evictor(const RocksOptions& options, Database& database, UseIndex& uses, ChunkFiles& chunk_files,
          const Clock& clock)
      : options_(options),
        database_(database),
        uses_(uses),
        chunk_files_(chunk_files),
        clock_(clock) {}

  // Whether more is kept or on its way in than the cap allows; "far", so much more that writers
  // must wait for Evict.
  bool IsOver() const;
  bool IsFarOver() const;

  // Evicts what is too old, and, if more is kept than the cap, down to a little below it. Uses that
  // were noted only must have been flushed before.
  Status Evict();

  // Takes the entry out, with its chunks.
  Status Remove(EntryChange& change);

  Evicted evicted() const { return {blobs_, actions_, bytes_}; }

 private:
  u64 BytesHeld() const;
  bool MustGo(UseTime last_use, u64 bytes_goal, UseTime oldest) const;
  Status EvictEntry(const TimedEntry& candidate);

  const RocksOptions& options_;
  Database& database_;
  UseIndex& uses_;
  ChunkFiles& chunk_files_;
  const Clock& clock_;
  std::atomic<u64> blobs_ = 0, actions_ = 0, bytes_ = 0;
};

}  // namespace ptxfarm::rocks
