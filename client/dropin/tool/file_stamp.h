// Whether a file is still the one that was read.
#pragma once

#include <optional>
#include <string>

#include "base/int.h"

namespace ptxfarm::dropin {

// What tells a file from the one that may take its place, also one written over it: the time of the
// last change of the inode can't be set back.
struct FileStamp {
  u64 device = 0, inode = 0, size_bytes = 0;
  i64 modified_ns = 0, changed_ns = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Nothing where the path leads to no regular file.
std::optional<FileStamp> StampOf(const std::string& path);

// The real-time clock, which files' times are of.
i64 NowNs();

// Whether a file with this stamp, seen at `now_ns`, can't change any more without its stamp
// telling. One that changed just before could: its times are those of the last tick.
bool IsSettled(const FileStamp& stamp, i64 now_ns);

}  // namespace ptxfarm::dropin
