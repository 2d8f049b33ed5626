#include "client/local/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace ptxfarm::local {
namespace {

Result<int> OpenLock(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return ErrnoError(errno, fmt::format("open {}", path));
  return descriptor;
}

struct flock WholeFile() {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return whole;
}

}  // namespace

Result<FileLock> FileLock::Wait(const std::string& path) {
  PTXFARM_ASSIGN_OR_RETURN(const int descriptor, OpenLock(path));
  FileLock lock(descriptor);
  while (::flock(descriptor, LOCK_EX) != 0)
    if (errno != EINTR) return ErrnoError(errno, fmt::format("lock {}", path));
  return lock;
}

Result<FileLock> FileLock::TakeForLife(const std::string& path) {
  PTXFARM_ASSIGN_OR_RETURN(const int descriptor, OpenLock(path));
  FileLock lock(descriptor);
  struct flock whole = WholeFile();
  if (::fcntl(descriptor, F_SETLK, &whole) == 0) return lock;
  if (errno != EACCES && errno != EAGAIN) return ErrnoError(errno, fmt::format("lock {}", path));
  whole = WholeFile();
  if (::fcntl(descriptor, F_GETLK, &whole) != 0 || whole.l_type == F_UNLCK) whole.l_pid = 0;
  return MakeError(Code::kAlreadyExists, "process {} has {}", whole.l_pid, path);
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<pid_t> HolderOf(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return std::nullopt;
  struct flock whole = WholeFile();
  const bool held = ::fcntl(descriptor, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
  ::close(descriptor);
  return held ? std::optional(whole.l_pid) : std::nullopt;
}

}  // namespace ptxfarm::local
