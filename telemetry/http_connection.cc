#include "telemetry/http_connection.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace ptxfarm::telemetry {
namespace {

constexpr std::string_view kHeaderEnd = "\r\n\r\n";
constexpr std::size_t kReadBytes = 16 * 1024;
// What a peer may still have been sending when we close: read away, or the kernel would reset the
// connection and with it the answer that is under way.
constexpr std::size_t kDrainBytes = 256 * 1024;

int AsInt(std::size_t size) { return static_cast<int>(std::min<std::size_t>(size, 1 << 30)); }

}  // namespace

HttpConnection::HttpConnection(Descriptor socket, TlsSession session)
    : socket_(std::move(socket)),
      session_(std::move(session)),
      peer_(PeerAddress(socket_.get())),
      in_handshake_(session_ != nullptr) {
  if (session_ != nullptr) ::SSL_set_fd(session_.get(), socket_.get());
}

HttpConnection::~HttpConnection() {
  if (session_ != nullptr && !in_handshake_ && wants_ != Gathered::kEnded) {
    ::SSL_shutdown(session_.get());
    ::ERR_clear_error();
  }
  ::shutdown(socket_.get(), SHUT_WR);
  char ignored[kReadBytes];
  std::size_t drained = 0;
  while (drained < kDrainBytes) {
    const ssize_t count = ::recv(socket_.get(), ignored, sizeof(ignored), MSG_DONTWAIT);
    if (count <= 0) break;
    drained += static_cast<std::size_t>(count);
  }
}

std::string_view HttpConnection::Header() const {
  const std::string_view received = std::string_view(buffer_).substr(used_);
  const std::size_t end = received.find(kHeaderEnd);
  if (end == std::string_view::npos) return {};
  return received.substr(0, end + kHeaderEnd.size());
}

HttpConnection::Gathered HttpConnection::Gather(std::size_t header_bytes_max) {
  if (in_handshake_ && !Handshake()) return wants_;
  buffer_.erase(0, used_);
  used_ = 0;
  while (true) {
    const std::size_t header_bytes = Header().size();
    const std::size_t received = buffer_.size();
    if ((header_bytes == 0 ? received : header_bytes) > header_bytes_max)
      return Gathered::kTooLarge;
    if (header_bytes != 0) return Gathered::kWhole;
    buffer_.resize(received + kReadBytes);
    const ssize_t count = ReceiveSome(buffer_.data() + received, kReadBytes);
    buffer_.resize(received + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return Gathered::kEnded;
    if (count < 0) return wants_;
  }
}

bool HttpConnection::Handshake() {
  ::ERR_clear_error();
  const int result = ::SSL_accept(session_.get());
  if (result == 1) {
    in_handshake_ = false;
    return true;
  }
  TlsResult(result);
  return false;
}

ssize_t HttpConnection::Read(char* bytes, std::size_t size) {
  if (used_ < buffer_.size()) {
    const std::size_t count = std::min(size, buffer_.size() - used_);
    std::copy_n(buffer_.data() + used_, count, bytes);
    used_ += count;
    return static_cast<ssize_t>(count);
  }
  size = std::min<u64>(size, body_bytes_left_);
  if (size == 0) return 0;
  while (true) {
    const ssize_t count = ReceiveSome(bytes, size);
    if (count >= 0) {
      body_bytes_left_ -= static_cast<u64>(count);
      moved_bytes_ += static_cast<u64>(count);
      return count;
    }
    if (!WaitFor(wants_)) return -1;
  }
}

bool HttpConnection::Write(std::string_view bytes) {
  if (in_handshake_) return false;
  while (!bytes.empty()) {
    const ssize_t count = SendSome(bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      moved_bytes_ += static_cast<u64>(count);
    } else if (!WaitFor(wants_)) {
      return false;
    }
  }
  return true;
}

void HttpConnection::Abort() { ::shutdown(socket_.get(), SHUT_RDWR); }

ssize_t HttpConnection::ReceiveSome(char* bytes, std::size_t size) {
  if (session_ != nullptr) {
    ::ERR_clear_error();
    return TlsResult(::SSL_read(session_.get(), bytes, AsInt(size)));
  }
  while (true) {
    const ssize_t count = ::recv(socket_.get(), bytes, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      wants_ = errno == EAGAIN || errno == EWOULDBLOCK ? Gathered::kWantsRead : Gathered::kEnded;
    return count;
  }
}

ssize_t HttpConnection::SendSome(const char* bytes, std::size_t size) {
  if (session_ != nullptr) {
    ::ERR_clear_error();
    return TlsResult(::SSL_write(session_.get(), bytes, AsInt(size)));
  }
  while (true) {
    const ssize_t count = ::send(socket_.get(), bytes, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      wants_ = errno == EAGAIN || errno == EWOULDBLOCK ? Gathered::kWantsWrite : Gathered::kEnded;
    return count;
  }
}

// What recv and send would have answered: TLS may have to read before it can write, and the other
// way round.
ssize_t HttpConnection::TlsResult(int result) {
  if (result > 0) return result;
  switch (::SSL_get_error(session_.get(), result)) {
    case SSL_ERROR_WANT_READ: wants_ = Gathered::kWantsRead; return -1;
    case SSL_ERROR_WANT_WRITE: wants_ = Gathered::kWantsWrite; return -1;
    case SSL_ERROR_ZERO_RETURN: wants_ = Gathered::kEnded; return 0;
    default: wants_ = Gathered::kEnded; return -1;
  }
}

void HttpConnection::SetPace(std::chrono::milliseconds stall_timeout, u64 bytes_per_second_min) {
  stall_timeout_ = stall_timeout;
  bytes_per_second_min_ = std::max<u64>(bytes_per_second_min, 1);
  moved_bytes_ = 0;
  waited_ = {};
}

// What moved earns patience, on top of one stall.
std::chrono::milliseconds HttpConnection::PatienceLeft() const {
  const std::chrono::milliseconds earned(moved_bytes_ * 1'000 / bytes_per_second_min_);
  const auto left = stall_timeout_ + earned - waited_;
  return std::min(stall_timeout_, std::chrono::ceil<std::chrono::milliseconds>(left));
}

bool HttpConnection::WaitFor(Gathered what) {
  if (what != Gathered::kWantsRead && what != Gathered::kWantsWrite) return false;
  const short events = what == Gathered::kWantsRead ? POLLIN : POLLOUT;
  const auto began = std::chrono::steady_clock::now();
  const auto deadline = began + PatienceLeft();
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd waiting{socket_.get(), events, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<i64>(left.count(), 1 << 30)));
    if (ready < 0 && errno == EINTR) continue;
    waited_ += std::chrono::steady_clock::now() - began;
    return ready > 0;
  }
}

}  // namespace ptxfarm::telemetry
