// RocksDB's statuses as our errors.
#pragma once

#include <string_view>

#include <rocksdb/status.h>

#include "base/result.h"

namespace ptxfarm::rocks {

// "RESOURCE_EXHAUSTED: put blob: the disk under /var/lib/ptxfarm is full". For a status that isn't
// ok.
Error ToError(const rocksdb::Status& status, std::string_view doing, std::string_view path);

}  // namespace ptxfarm::rocks
