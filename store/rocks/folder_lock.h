// One owner for a folder. RocksDB locks too, but says neither clearly that, nor by whom.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace ptxfarm::rocks {

// Held until destroyed, or until the process ends in whatever way.
class FolderLock {
 public:
  // Makes the folder where it isn't. FAILED_PRECONDITION where another has it; the message names
  // its process.
  static Result<std::shared_ptr<FolderLock>> Take(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  explicit FolderLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace ptxfarm::rocks
