#include "client/files/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/file.h"

namespace ptxfarm::client {
namespace {

Status WriteInPlace(const std::string& path, std::string_view bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return ErrnoError(errno, fmt::format("open {}", path));
  Status written = WriteDescriptor(descriptor, bytes, path);
  if (::close(descriptor) != 0 && written)
    written = ErrnoError(errno, fmt::format("close {}", path));
  return written;
}

Error IsFolder(const std::string& path) {
  return MakeError(Code::kInvalidArgument, "write {}: it is a folder", path);
}

}  // namespace

Status WriteOutput(const std::string& path, std::string_view bytes) {
  if (path == "-") return WriteDescriptor(STDOUT_FILENO, bytes, "the standard output");
  const std::string file = ResolveLink(path);
  struct stat info {};
  if (::stat(file.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return IsFolder(path);
    if (!S_ISREG(info.st_mode)) return WriteInPlace(file, bytes);
  }
  return WriteFileAtomically(file, bytes);
}

void RemoveStaleOutput(const std::string& path) {
  if (path == "-") return;
  const std::string file = ResolveLink(path);
  struct stat info {};
  if (::lstat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode)) ::unlink(file.c_str());
}

Status CheckOutput(const std::string& path) {
  if (path == "-") return Ok{};
  const std::string file = ResolveLink(path);
  struct stat info {};
  if (::stat(file.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return IsFolder(path);
    if (!S_ISREG(info.st_mode))
      return ::access(file.c_str(), W_OK) == 0 ? Status(Ok{})
                                               : ErrnoError(errno, fmt::format("write {}", path));
  }
  // A file is replaced, not written: that is for its folder to allow.
  const std::size_t slash = file.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return ErrnoError(errno, fmt::format("write {}", path));
  return Ok{};
}

Status MakeFolders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  const bool is_file = error.value() == EEXIST || error.value() == ENOTDIR;
  if (is_file || (!error && !std::filesystem::is_directory(path, error)))
    return MakeError(Code::kInvalidArgument, "make the folder {}: a file stands in its place",
                     path);
  if (error) return ErrnoError(error.value(), fmt::format("make the folder {}", path));
  return Ok{};
}

}  // namespace ptxfarm::client
