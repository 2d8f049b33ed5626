// The backend that keeps everything in memory: for tests, and for a farm that is to leave nothing
// behind.
#pragma once

#include <chrono>

#include "base/clock.h"
#include "store/backend.h"

namespace ptxfarm {

class StoreObserver;

// As the fields of StoreOptions (stores.h) of the same names.
struct MemoryOptions {
  u64 bytes_max = 0;
  std::chrono::seconds age_max{0};
  StoreObserver* observer = nullptr;
};

// `clock` and the observer must outlive all parts.
BackendParts MakeMemoryStore(const MemoryOptions& options, const Clock& clock);

}  // namespace ptxfarm
