// Whole files, read and written safely.
#pragma once

#include <string>
#include <string_view>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm {

// Reads a regular file, FIFO or device whole; a folder is INVALID_ARGUMENT, more than `bytes_max`
// RESOURCE_EXHAUSTED.
Result<std::string> ReadFile(const std::string& path, u64 bytes_max);

// Writes beside `path`, syncs, checks and renames: readers see the old file, or the whole new one,
// and a failure (disk full, no permission) leaves the old one and no litter.
Status WriteFileAtomically(const std::string& path, std::string_view bytes);

}  // namespace ptxfarm
