#include "store/rocks/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/file.h"

namespace ptxfarm::rocks {

Result<std::shared_ptr<FolderLock>> FolderLock::Take(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return ErrnoError(error.value(), fmt::format("make the store's folder {}", folder));
  const std::string path = folder + "/owner";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return ErrnoError(errno, fmt::format("open {}", path));
  std::shared_ptr<FolderLock> lock(new FolderLock(fd));
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return ErrnoError(errno, fmt::format("lock {}", path));
    const Result<std::string> owner = ReadFile(path, 64);
    return MakeError(Code::kFailedPrecondition,
                     "the store in {} is in use by another process{}; stop it, or choose another "
                     "folder",
                     folder, owner && !owner->empty() ? fmt::format(" ({})", *owner) : "");
  }
  // For the message above only, so a full disk is no reason not to open.
  const std::string process = std::to_string(::getpid());
  if (::ftruncate(fd, 0) == 0) [[maybe_unused]]
    const ssize_t written = ::pwrite(fd, process.data(), process.size(), 0);
  return lock;
}

FolderLock::~FolderLock() { ::close(fd_); }

}  // namespace ptxfarm::rocks
