// Whole files, read and written safely.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm {

// Reads a regular file, FIFO or device whole; a folder is INVALID_ARGUMENT, more than `bytes_max`
// RESOURCE_EXHAUSTED.
Result<std::string> ReadFile(const std::string& path, u64 bytes_max);

// The same of a file that is open, from where it stands; `name` is for messages. `before_read` is
// called before each read, and its error ends the reading: the place to wait for a pipe that may
// never say a word.
Result<std::string> ReadDescriptor(int descriptor, const std::string& name, u64 bytes_max,
                                   const std::function<Status()>& before_read = nullptr);

// Writes all of it to a descriptor, however often it takes less; `name` is for messages.
Status WriteDescriptor(int descriptor, std::string_view bytes, const std::string& name);

// Where a chain of links ends; the path itself where it is no link, or one that leads nowhere yet.
std::string ResolveLink(const std::string& path);

// Writes beside `path`, syncs, checks and renames: readers see the old file, or the whole new one,
// and a failure (disk full, no permission) leaves the old one and no litter.
Status WriteFileAtomically(const std::string& path, std::string_view bytes);

}  // namespace ptxfarm
