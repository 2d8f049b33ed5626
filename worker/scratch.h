// Scratch folders: where compiles read their input and write their object.
#pragma once

#include <atomic>
#include <string>

#include "base/int.h"
#include "base/result.h"
#include "worker/descriptor.h"

namespace ptxfarm::worker {

// A folder of this process alone (mode 0700), with folders in it that last for one compile. It is
// locked while the process lives, by a lock that ends with it however it ends: so what workers that
// died left behind is known, and goes when another starts there.
class Scratch {
 public:
  // Below `parent`, which exists. Cleans up there first.
  static Result<Scratch> Make(const std::string& parent);
  Scratch(Scratch&&) noexcept;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  const std::string& path() const { return path_; }

  // A new empty folder.
  Result<std::string> MakeFolder();
  // Removes one with all that is in it.
  void RemoveFolder(const std::string& folder);

 private:
  Scratch(std::string path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  Descriptor lock_;
  std::atomic<u64> folders_ = 0;
};

}  // namespace ptxfarm::worker
