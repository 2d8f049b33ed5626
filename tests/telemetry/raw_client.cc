#include "tests/telemetry/raw_client.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace ptxfarm::telemetry {

RawClient::RawClient(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.front() == '[') host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* info = nullptr;
  ::getaddrinfo(host.c_str(), address.c_str() + colon + 1, &hints, &info);
  socket_ = ::socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  connected_ = ::connect(socket_, info->ai_addr, info->ai_addrlen) == 0;
  ::freeaddrinfo(info);
}

RawClient::~RawClient() {
  if (socket_ >= 0) ::close(socket_);
}

RawClient::RawClient(RawClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      connected_(other.connected_),
      received_(std::move(other.received_)) {}

bool RawClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool RawClient::IsReadable(std::chrono::milliseconds wait) const {
  pollfd waiting{socket_, POLLIN, 0};
  return ::poll(&waiting, 1, static_cast<int>(wait.count())) > 0;
}

bool RawClient::ReadSome() {
  char bytes[65536];
  const ssize_t count = ::recv(socket_, bytes, sizeof(bytes), 0);
  if (count <= 0) return false;
  received_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

std::string RawClient::ReadToEnd() {
  while (ReadSome()) {
  }
  return std::exchange(received_, {});
}

std::string RawClient::ReadResponse() {
  std::size_t header_end;
  while ((header_end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!ReadSome()) return std::exchange(received_, {});
  }
  constexpr std::string_view kLength = "Content-Length: ";
  const std::size_t at = received_.find(kLength);
  const std::size_t body_bytes =
      at < header_end ? std::strtoul(received_.c_str() + at + kLength.size(), nullptr, 10) : 0;
  const std::size_t whole = header_end + 4 + body_bytes;
  while (received_.size() < whole) {
    if (!ReadSome()) return std::exchange(received_, {});
  }
  const std::string response = received_.substr(0, whole);
  received_.erase(0, whole);
  return response;
}

std::string Get(const std::string& path, const std::string& lines) {
  return "GET " + path + " HTTP/1.1\r\nHost: test\r\n" + lines + "\r\n";
}

}  // namespace ptxfarm::telemetry
