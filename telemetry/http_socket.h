// Addresses and sockets of the HTTP server.
#pragma once

#include <string>

#include "base/result.h"

namespace ptxfarm::telemetry {

// A file descriptor that is closed with the object.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.Release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int get() const { return fd_; }
  int Release();

 private:
  int fd_;
};

struct Listener {
  Descriptor socket;    // Not blocking.
  std::string address;  // "127.0.0.1:43211", "[::1]:9100": with the port that was taken.
};

// Listens on "HOST:PORT": a name or an address, IPv6 in brackets, no host for all of the machine's
// addresses; port 0 takes a free one.
Result<Listener> Listen(const std::string& address);

// "192.0.2.7:50122", of the other end.
std::string PeerAddress(int socket);

}  // namespace ptxfarm::telemetry
