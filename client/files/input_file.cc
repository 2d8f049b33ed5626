#include "client/files/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"

namespace ptxfarm::client {
namespace {

// Waits until there is something to read, or an end.
Status AwaitInput(int descriptor, const CancelToken& cancel) {
  pollfd descriptors[] = {{descriptor, POLLIN, 0}, {cancel.descriptor(), POLLIN, 0}};
  // What can't be polled is read, and says itself what is wrong.
  while (::poll(descriptors, 2, -1) < 0 && errno == EINTR) {
  }
  if (cancel.cancelled()) return Error{Code::kCancelled, "cancelled"};
  return Ok{};
}

}  // namespace

Result<std::string> ReadInput(const std::string& path, u64 bytes_max, const CancelToken& cancel) {
  const auto wait = [&](int descriptor) {
    return [descriptor, &cancel] { return AwaitInput(descriptor, cancel); };
  };
  // As it is, not by the name /dev/stdin: that opens no socket, and no file of another user.
  if (path == "-")
    return ReadDescriptor(STDIN_FILENO, "the standard input", bytes_max, wait(STDIN_FILENO));
  // Without waiting: a FIFO is opened only once somebody writes to it.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return ErrnoError(errno, fmt::format("open {}", path));
  Result<std::string> text = ReadDescriptor(descriptor, path, bytes_max, wait(descriptor));
  ::close(descriptor);
  return text;
}

}  // namespace ptxfarm::client
