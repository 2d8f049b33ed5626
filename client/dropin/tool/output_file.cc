#include "client/dropin/tool/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "client/dropin/tier/local_tier.h"

namespace ptxfarm::dropin {
namespace {

// Where a chain of links ends; the path itself where it is no link, or one that leads nowhere yet.
std::string ResolveLink(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
  char* const resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

Status WriteInPlace(const std::string& path, std::string_view bytes, int flags) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags);
  if (file < 0) return ErrnoError(errno, "open " + path);
  Status written = Ok{};
  while (!bytes.empty() && written) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      written = ErrnoError(errno, "write " + path);
  }
  if (::close(file) != 0 && written) written = ErrnoError(errno, "close " + path);
  return written;
}

}  // namespace

Status PlaceObject(const std::string& path, std::string_view object) {
  const std::string file = ResolveLink(path);
  struct stat info {};
  const bool exists = ::stat(file.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    return MakeError(Code::kInvalidArgument, "{} is a folder", path);
  if (exists && !S_ISREG(info.st_mode)) return WriteInPlace(file, object, 0);
  if (exists && ::access(file.c_str(), W_OK) != 0) return ErrnoError(errno, "write " + path);
  Status written = ReplaceFile(file, object, exists ? info.st_mode & 0777 : 0666);
  if (!written && exists && written.error().code == Code::kPermissionDenied)
    return WriteInPlace(file, object, O_TRUNC);
  return written;
}

void PrintTo(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace ptxfarm::dropin
