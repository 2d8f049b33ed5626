// What the RocksDB backend is told.
#pragma once

#include <chrono>
#include <string>

#include "base/int.h"

namespace ptxfarm {
class StoreObserver;
}  // namespace ptxfarm

namespace ptxfarm::rocks {

// As the fields of StoreOptions (stores.h) of the same names.
struct RocksOptions {
  std::string path;
  u64 bytes_max = 0;
  std::chrono::seconds age_max{0};
  u64 cache_bytes = u64{64} << 20;
  bool sync_actions = false;
  StoreObserver* observer = nullptr;
};

}  // namespace ptxfarm::rocks
