// Where the server listens: addresses, credentials, and the lock on a Unix socket.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <grpcpp/server_builder.h>

#include "base/result.h"
#include "server/options.h"

namespace ptxfarm::server {

class Listeners {
 public:
  // Adds every address of the options to the builder. INVALID_ARGUMENT: an address of no known
  // form, TLS files that don't fit, TCP without TLS that other machines reach. FAILED_PRECONDITION:
  // another server has the Unix socket.
  static Result<std::unique_ptr<Listeners>> Add(const ServerOptions& options,
                                                grpc::ServerBuilder& builder);

  ~Listeners();
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  // After the server has started: UNAVAILABLE names an address that couldn't be taken.
  Result<std::vector<std::string>> Addresses() const;

 private:
  struct Listener {
    std::string address;
    std::unique_ptr<int> port;  // As taken; 0 where it couldn't be. Unix sockets have 1.
  };

  Listeners() = default;
  Status AddOne(const std::string& address, const std::shared_ptr<grpc::ServerCredentials>& tls,
                bool plaintext, grpc::ServerBuilder& builder);
  Status LockSocket(const std::string& path);

  std::vector<Listener> listeners_;
  std::vector<int> locks_;
};

}  // namespace ptxfarm::server
