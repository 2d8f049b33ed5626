// Locks between processes, released by the system when their holder ends, however it ends.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

#include "base/result.h"

namespace ptxfarm::local {

// An open lock file. Not inherited by programs that are started.
class FileLock {
 public:
  // Waits until nobody else holds it (flock).
  static Result<FileLock> Wait(const std::string& path);

  // Takes it for the life of this process, in a way that HolderOf sees (a POSIX lock: the process
  // must not open the file again). ALREADY_EXISTS names the process that has it.
  static Result<FileLock> TakeForLife(const std::string& path);

  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

// The process that holds a lock of TakeForLife; nothing where none does. The process can't have
// been replaced by another one of the same number at the time of the answer, as the lock would be
// gone.
std::optional<pid_t> HolderOf(const std::string& path);

}  // namespace ptxfarm::local
