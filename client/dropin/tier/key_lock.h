// One process at a time makes the result of a key; the others wait for it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/digest.h"

namespace ptxfarm::dropin {

// As long as the longest compile may take; then whoever waits goes on by itself.
inline constexpr std::chrono::minutes kLockPatience{30};

// A lock file named after the key, held until the end of its life: the system releases it however
// the process ends.
class KeyLock {
 public:
  // Waits while another process holds it. Nothing after `patience`, or where the file system has no
  // locks: then the caller goes on without, and at worst work is done twice.
  static std::optional<KeyLock> Take(const std::string& folder, const Sha256& key,
                                     std::chrono::milliseconds patience);

  // Leaves the lock to the program that this process becomes, which inherits it. Nothing there,
  // where none was left, or that of another key.
  void Bequeath() const;
  static std::optional<KeyLock> Inherit(const std::string& folder, const Sha256& key);

  KeyLock(KeyLock&& other) noexcept;
  KeyLock& operator=(KeyLock&&) = delete;
  ~KeyLock();

  // Whether another process held it first: what it made may be there now.
  bool waited() const { return waited_; }

 private:
  KeyLock(int descriptor, std::string path, bool waited)
      : descriptor_(descriptor), path_(std::move(path)), waited_(waited) {}

  int descriptor_;
  std::string path_;
  bool waited_;
};

}  // namespace ptxfarm::dropin
