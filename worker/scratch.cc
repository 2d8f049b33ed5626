#include "worker/scratch.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

namespace ptxfarm::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "ptxfarm-worker-";
constexpr std::string_view kLockName = "/lock";

void RemoveTree(const std::string& path) {
  std::error_code ignored;  // What can't be removed now is tried again by the next worker.
  fs::remove_all(path, ignored);
}

// Whether a folder's worker is gone. One without a lock is just being made, or was left by a worker
// that died while making it: an hour tells.
bool IsAbandoned(const std::string& folder) {
  struct stat info {};
  if (::lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::geteuid())
    return false;
  const Descriptor lock(
      ::open((folder + std::string(kLockName)).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (lock) return ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
  const auto made = std::chrono::system_clock::from_time_t(info.st_mtim.tv_sec);
  return std::chrono::system_clock::now() - made > std::chrono::hours(1);
}

void RemoveAbandoned(const std::string& parent) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, failed)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(kPrefix) && IsAbandoned(entry.path())) RemoveTree(entry.path());
  }
}

}  // namespace

Result<Scratch> Scratch::Make(const std::string& parent) {
  RemoveAbandoned(parent);
  std::string path = fmt::format("{}/{}XXXXXX", parent, kPrefix);
  if (::mkdtemp(path.data()) == nullptr)
    return ErrnoError(errno, fmt::format("make a scratch folder in {}", parent));
  // The sandbox names it by its real path.
  std::error_code failed;
  const std::string real = fs::canonical(path, failed);
  Descriptor lock(
      ::open((real + std::string(kLockName)).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (failed || !lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    const int why = failed ? failed.value() : errno;
    RemoveTree(path);
    return ErrnoError(why, fmt::format("lock the scratch folder {}", path));
  }
  return Scratch(real, std::move(lock));
}

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

Scratch::~Scratch() {
  if (!path_.empty()) RemoveTree(path_);
}

Result<std::string> Scratch::MakeFolder() {
  std::string folder = fmt::format("{}/{}", path_, ++folders_);
  if (::mkdir(folder.c_str(), 0700) != 0) return ErrnoError(errno, fmt::format("make {}", folder));
  return folder;
}

void Scratch::RemoveFolder(const std::string& folder) { RemoveTree(folder); }

}  // namespace ptxfarm::worker
