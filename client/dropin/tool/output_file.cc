#include "client/dropin/tool/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"
#include "client/dropin/tier/local_tier.h"

namespace ptxfarm::dropin {
namespace {

Status WriteInPlace(const std::string& path, std::string_view bytes, int flags) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags);
  if (file < 0) return ErrnoError(errno, "open " + path);
  Status written = WriteDescriptor(file, bytes, path);
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
  static_cast<void>(WriteDescriptor(descriptor, text, ""));
}

}  // namespace ptxfarm::dropin
