#include "client/dropin/tier/key_lock.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "client/dropin/tier/local_tier.h"
#include "client/dropin/tier/sha256_stream.h"

namespace ptxfarm::dropin {
namespace {

using Clock = std::chrono::steady_clock;

// Looking again instead of waiting in the kernel: a holder that was stopped must not stop us.
constexpr std::chrono::milliseconds kLookShortest{1};
constexpr std::chrono::milliseconds kLookLongest{16};

constexpr const char* kBequeathed = "PTXFARM_PTXAS_LOCK";

enum class Try : u8 { kTaken, kHeld, kFailed };

Try TryLock(int descriptor) {
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    return errno == EWOULDBLOCK ? Try::kHeld : Try::kFailed;
  }
  return Try::kTaken;
}

// The last holder removes the file, so a lock that was got late may be on a file that is gone.
bool IsStillNamed(int descriptor, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

}  // namespace

std::optional<KeyLock> KeyLock::Take(const std::string& folder, const Sha256& key,
                                     std::chrono::milliseconds patience) {
  if (!MakeFolder(folder)) return std::nullopt;
  const std::string path = folder + "/" + NameOf(key);
  const Clock::time_point end = Clock::now() + patience;
  bool waited = false;
  std::chrono::milliseconds pause = kLookShortest;
  while (true) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return std::nullopt;
    Try tried = TryLock(file);
    while (tried == Try::kHeld && Clock::now() < end) {
      waited = true;
      ::poll(nullptr, 0, static_cast<int>(pause.count()));
      pause = std::min(2 * pause, kLookLongest);
      tried = TryLock(file);
    }
    if (tried == Try::kTaken && IsStillNamed(file, path)) return KeyLock(file, path, waited);
    ::close(file);
    if (tried != Try::kTaken) return std::nullopt;
    waited = true;
  }
}

void KeyLock::Bequeath() const {
  ::fcntl(descriptor_, F_SETFD, 0);
  ::setenv(kBequeathed, std::to_string(descriptor_).c_str(), /*overwrite=*/1);
}

std::optional<KeyLock> KeyLock::Inherit(const std::string& folder, const Sha256& key) {
  const char* const left = std::getenv(kBequeathed);
  if (left == nullptr) return std::nullopt;
  const int descriptor = std::atoi(left);
  ::unsetenv(kBequeathed);
  const std::string path = folder + "/" + NameOf(key);
  if (descriptor <= STDERR_FILENO || !IsStillNamed(descriptor, path)) return std::nullopt;
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return KeyLock(descriptor, path, /*waited=*/false);
}

KeyLock::KeyLock(KeyLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      waited_(other.waited_) {}

KeyLock::~KeyLock() {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace ptxfarm::dropin
