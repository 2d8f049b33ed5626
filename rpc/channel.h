// How to reach a server: address, TLS, token; and a context for each call.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include "base/result.h"

namespace ptxfarm::rpc {

struct ChannelOptions {
  std::string address;   // "unix:/path/farm.sock", "host:port", "[::1]:port".
  std::string tls_ca;    // PEM files. A CA (or tls = true, for the system's) switches TLS on.
  std::string tls_cert;  // For mTLS, both or none.
  std::string tls_key;
  bool tls = false;
  std::string
      tls_name;  // The name in the server's certificate, where it isn't that of the address.
  bool plaintext = false;  // Allows TCP without TLS to other hosts than this one.
  std::string token_file;  // One line; read anew for each connection.
};

class Channel {
 public:
  // INVALID_ARGUMENT: an address of no known form, TLS files that don't fit, plaintext to another
  // host without `plaintext`. NOT_FOUND and the like: a file can't be read. Doesn't connect: the
  // first call does.
  static Result<Channel> Make(const ChannelOptions& options);

  const std::shared_ptr<grpc::Channel>& grpc() const { return channel_; }
  const std::string& address() const { return address_; }

  // Prepares a call: token, deadline (the policy's where none is given), traceparent if any.
  void Prepare(grpc::ClientContext& context, std::string_view method,
               std::optional<std::chrono::milliseconds> deadline = std::nullopt,
               std::string_view traceparent = {}) const;

 private:
  std::shared_ptr<grpc::Channel> channel_;
  std::string address_;
  std::string token_;
};

// "unix:…" or a loopback address: bytes don't leave this machine.
bool IsLocalAddress(std::string_view address);

}  // namespace ptxfarm::rpc
