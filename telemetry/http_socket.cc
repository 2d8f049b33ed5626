#include "telemetry/http_socket.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

namespace ptxfarm::telemetry {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this == &other) return *this;
  if (fd_ >= 0) ::close(fd_);
  fd_ = other.Release();
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

int Descriptor::Release() { return std::exchange(fd_, -1); }

namespace {

constexpr int kBacklog = 128;

struct HostPort {
  std::string host;
  std::string port;
};

std::optional<HostPort> Split(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon + 1 == address.size()) return std::nullopt;
  HostPort split{address.substr(0, colon), address.substr(colon + 1)};
  const bool bracketed =
      split.host.size() >= 2 && split.host.front() == '[' && split.host.back() == ']';
  if (bracketed) split.host = split.host.substr(1, split.host.size() - 2);
  // An IPv6 address without brackets: which colon parts the port can't be told.
  if (!bracketed && split.host.find(':') != std::string::npos) return std::nullopt;
  return split;
}

std::string AddressText(const sockaddr_storage& address, socklen_t size) {
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host, sizeof(host), port,
                    sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "unknown";
  return address.ss_family == AF_INET6 ? fmt::format("[{}]:{}", host, port)
                                       : fmt::format("{}:{}", host, port);
}

Result<Listener> ListenOn(const addrinfo& info, const std::string& address) {
  Descriptor socket(
      ::socket(info.ai_family, info.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, info.ai_protocol));
  const auto failed = [&] { return ErrnoError(errno, fmt::format("listen on {}", address)); };
  if (socket.get() < 0) return failed();
  const int on = 1, off = 0;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  // "::" then takes IPv4 too.
  if (info.ai_family == AF_INET6)
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
  if (::bind(socket.get(), info.ai_addr, info.ai_addrlen) != 0) return failed();
  if (::listen(socket.get(), kBacklog) != 0) return failed();
  sockaddr_storage bound{};
  socklen_t size = sizeof(bound);
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) return failed();
  return Listener{std::move(socket), AddressText(bound, size)};
}

}  // namespace

Result<Listener> Listen(const std::string& address) {
  const std::optional<HostPort> split = Split(address);
  if (!split)
    return MakeError(Code::kInvalidArgument,
                     "'{}' is no address to listen on; write HOST:PORT, [IPV6]:PORT or :PORT",
                     address);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int failure = ::getaddrinfo(split->host.empty() ? nullptr : split->host.c_str(),
                                    split->port.c_str(), &hints, &found);
  if (failure != 0)
    return MakeError(Code::kInvalidArgument, "listen on {}: {}", address, ::gai_strerror(failure));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);

  // Without a host, IPv6 first: its socket takes IPv4 too, where the machine has both.
  Result<Listener> last = MakeError(Code::kNotFound, "listen on {}: no such address", address);
  for (const bool six_first : {true, false}) {
    for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
      if (split->host.empty() && (info->ai_family == AF_INET6) != six_first) continue;
      last = ListenOn(*info, address);
      if (last) return last;
    }
  }
  return last;
}

std::string PeerAddress(int socket) {
  sockaddr_storage peer{};
  socklen_t size = sizeof(peer);
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return "unknown";
  return AddressText(peer, size);
}

}  // namespace ptxfarm::telemetry
