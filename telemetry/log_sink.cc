#include "telemetry/log_sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"

namespace ptxfarm::telemetry {
namespace {

Result<int> OpenForAppending(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
  if (fd < 0) return ErrnoError(errno, fmt::format("open {}", path));
  return fd;
}

}  // namespace

std::unique_ptr<FileLogSink> FileLogSink::ToStandardError() {
  return std::unique_ptr<FileLogSink>(new FileLogSink("", STDERR_FILENO));
}

Result<std::unique_ptr<FileLogSink>> FileLogSink::ToFile(const std::string& path) {
  PTXFARM_ASSIGN_OR_RETURN(const int fd, OpenForAppending(path));
  return std::unique_ptr<FileLogSink>(new FileLogSink(path, fd));
}

FileLogSink::~FileLogSink() {
  if (!path_.empty()) ::close(fd_);
}

void FileLogSink::Write(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (lost_ > 0 && WriteDescriptor(fd_, fmt::format("log_lines_lost count={}\n", lost_), path_))
    lost_ = 0;
  if (!WriteDescriptor(fd_, line, path_)) ++lost_;
}

Status FileLogSink::Reopen() {
  if (path_.empty()) return Ok{};
  PTXFARM_ASSIGN_OR_RETURN(const int fd, OpenForAppending(path_));
  const std::lock_guard lock(mutex_);
  ::close(fd_);
  fd_ = fd;
  return Ok{};
}

}  // namespace ptxfarm::telemetry
