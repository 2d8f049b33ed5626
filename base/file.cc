#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

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

Status WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      return ErrnoError(errno, fmt::format("write {}", path));
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return Ok{};
}

}  // namespace

Result<std::string> ReadFile(const std::string& path, u64 bytes_max) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return ErrnoError(errno, fmt::format("open {}", path));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return ErrnoError(errno, fmt::format("stat {}", path));
  if (S_ISDIR(info.st_mode)) return MakeError(Code::kInvalidArgument, "{} is a folder", path);

  // The size is a hint: files under /proc say 0, and a file may grow while it is read.
  std::string bytes;
  std::size_t used = 0;
  bytes.resize(static_cast<std::size_t>(info.st_size) + 1);
  while (true) {
    if (used == bytes.size()) bytes.resize(bytes.size() * 2);
    const ssize_t count = ::read(file.get(), bytes.data() + used, bytes.size() - used);
    if (count < 0) {
      if (errno == EINTR) continue;
      return ErrnoError(errno, fmt::format("read {}", path));
    }
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
    if (used > bytes_max)
      return MakeError(Code::kResourceExhausted, "{} is larger than {} bytes", path, bytes_max);
  }
  bytes.resize(used);
  return bytes;
}

Status WriteFileAtomically(const std::string& path, std::string_view bytes) {
  // The name is ours alone: process and a counter, so that threads and processes writing one path
  // don't meet.
  static std::atomic<u64> counter{0};
  const std::string beside = fmt::format("{}.{}.{}.tmp", path, ::getpid(),
                                         counter.fetch_add(1, std::memory_order_relaxed));
  Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) return ErrnoError(errno, fmt::format("create {}", path));
  Status written = WriteAll(file.get(), bytes, path);
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
