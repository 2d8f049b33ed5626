// Where lines of a log go.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::telemetry {

class LogSink {
 public:
  virtual ~LogSink() = default;
  // `line` ends in a newline. Called from many threads.
  virtual void Write(std::string_view line) = 0;
};

// Appends to a file descriptor, one write a line, so that the lines of processes that share a file
// don't mix. What cannot be written (full disk, closed pipe) is lost, and the next line that can be
// is preceded by "log_lines_lost count=N": a log must not stop a server.
class FileLogSink final : public LogSink {
 public:
  // Standard error.
  static std::unique_ptr<FileLogSink> ToStandardError();
  // A file that is made where it isn't there.
  static Result<std::unique_ptr<FileLogSink>> ToFile(const std::string& path);
  ~FileLogSink() override;

  void Write(std::string_view line) override;

  // Opens the path again, for log rotation that renames the file. Goes on with the old one where
  // that fails.
  Status Reopen();

 private:
  FileLogSink(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  const std::string path_;  // Empty: standard error, which isn't ours to close.
  std::mutex mutex_;
  int fd_;
  u64 lost_ = 0;
};

}  // namespace ptxfarm::telemetry
