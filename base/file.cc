#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace ptxfarm {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int Release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  int fd_;
};

}  // namespace

Result<std::string> ReadFile(const std::string& path, u64 bytes_max) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return ErrnoError(errno, fmt::format("open {}", path));
  return ReadDescriptor(file.get(), path, bytes_max);
}

Result<std::string> ReadDescriptor(int descriptor, const std::string& name, u64 bytes_max,
                                   const std::function<Status()>& before_read) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) return ErrnoError(errno, fmt::format("stat {}", name));
  if (S_ISDIR(info.st_mode)) return MakeError(Code::kInvalidArgument, "{} is a folder", name);
  const Error too_large =
      MakeError(Code::kResourceExhausted, "{} is larger than {} bytes", name, bytes_max);
  // The size is a hint: files under /proc say 0, and a file may grow while it is read.
  const u64 size = static_cast<u64>(info.st_size);
  if (S_ISREG(info.st_mode) && size > bytes_max) return too_large;

  // Room for a byte more than there is: the read that finds the end needs some.
  std::string bytes;
  bytes.resize(static_cast<std::size_t>(std::max<u64>(std::min(size, bytes_max), 4095) + 1));
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(bytes.size() * 2);
    if (before_read) PTXFARM_RETURN_IF_ERROR(before_read());
    const ssize_t count = ::read(descriptor, bytes.data() + used, bytes.size() - used);
    if (count < 0) {
      if (errno == EINTR || (errno == EAGAIN && before_read)) continue;
      return ErrnoError(errno, fmt::format("read {}", name));
    }
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
    if (used > bytes_max) return too_large;
  }
  bytes.resize(used);
  return bytes;
}

Status WriteDescriptor(int descriptor, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    // Nothing taken and no reason given: a device that is at its end.
    if (count <= 0) return ErrnoError(count < 0 ? errno : ENOSPC, fmt::format("write {}", name));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return Ok{};
}

std::string ResolveLink(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
  char* const resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

Status WriteFileAtomically(const std::string& path, std::string_view bytes) {
  // The name is ours alone: process and a counter, so that threads and processes writing one path
  // don't meet.
  static std::atomic<u64> counter{0};
  const std::string beside = fmt::format("{}.{}.{}.tmp", path, ::getpid(),
                                         counter.fetch_add(1, std::memory_order_relaxed));
  Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) return ErrnoError(errno, fmt::format("create {}", path));
  Status written = WriteDescriptor(file.get(), bytes, path);
  if (written && ::fsync(file.get()) != 0)
    written = ErrnoError(errno, fmt::format("sync {}", path));
  if (::close(file.Release()) != 0 && written)
    written = ErrnoError(errno, fmt::format("close {}", path));
  if (written && ::rename(beside.c_str(), path.c_str()) != 0)
    written = ErrnoError(errno, fmt::format("rename to {}", path));
  if (!written) ::unlink(beside.c_str());
  return written;
}

}  // namespace ptxfarm
