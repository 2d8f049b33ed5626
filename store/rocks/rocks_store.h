// The door to the RocksDB backend; no RocksDB header behind it.
#pragma once

#include "base/clock.h"
#include "store/backend.h"
#include "store/rocks/rocks_options.h"

namespace ptxfarm::rocks {

// Errors as of OpenStore (stores.h). `clock` and the observer must outlive all parts.
Result<BackendParts> OpenRocks(const RocksOptions& options, const Clock& clock);

}  // namespace ptxfarm::rocks
