// What a store says of itself, for `ptxfarm status`, AdminService and the metrics page.
#pragma once

#include "base/int.h"

namespace ptxfarm {

struct StoreFigures {
  u64 blobs = 0;          // Kept now.
  u64 blob_bytes = 0;     // Of those, as stored.
  u64 actions = 0;        // Records kept now.
  u64 action_bytes = 0;   // Of those.
  u64 bytes_max = 0;      // Cap on blob_bytes + action_bytes; 0: none.
  u64 disk_bytes = 0;     // Files of the database, with what is not yet reclaimed.
  u64 evicted_blobs = 0;  // Since the store was opened, as are the following.
  u64 evicted_actions = 0;
  u64 evicted_bytes = 0;
  u64 quarantined = 0;     // Blobs and records found damaged.
  u64 memory_entries = 0;  // In the memory tier now.
  u64 memory_bytes = 0;
  u64 memory_hits = 0;
  u64 memory_misses = 0;
  u64 format_version = 0;  // Of the files; 0 for a store in memory.
  bool writable = true;    // False while the disk is full or failing.
};

}  // namespace ptxfarm
