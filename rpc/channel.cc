#include "rpc/channel.h"

#include <limits>

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include "base/file.h"
#include "base/text.h"
#include "rpc/policies.h"

namespace ptxfarm::rpc {
namespace {

constexpr u64 kPemBytesMax = 1 << 20;

bool IsUnix(std::string_view address) {
  return address.starts_with("unix:") || address.starts_with("unix-abstract:");
}

// "host:port" with both parts there; a bare IPv6 address needs its brackets.
Status CheckAddress(std::string_view address) {
  if (IsUnix(address)) return Ok{};
  const std::size_t colon = address.rfind(':');
  const bool has_host = colon != std::string_view::npos && colon > 0;
  const std::string_view port = has_host ? address.substr(colon + 1) : std::string_view();
  const bool has_port = !port.empty() && port.size() <= 5 &&
                        port.find_first_not_of("0123456789") == std::string_view::npos;
  const bool one_colon = has_host && (address.find(':') == colon || address[0] == '[');
  if (has_port && one_colon && address.find("//") == std::string_view::npos) return Ok{};
  return MakeError(Code::kInvalidArgument,
                   "'{}' is no server address: write unix:/path/to.sock, host:port or [ipv6]:port",
                   Shortened(address));
}

Result<std::string> ReadPem(const std::string& path, std::string_view what) {
  Result<std::string> text = ReadFile(path, kPemBytesMax);
  if (!text) return std::move(text).error().Wrap("read {}", what);
  if (text->find("-----BEGIN ") == std::string::npos)
    return MakeError(Code::kInvalidArgument, "read {}: {} is not a PEM file", what, path);
  return text;
}

Result<std::shared_ptr<grpc::ChannelCredentials>> MakeCredentials(const ChannelOptions& options) {
  const bool wants_tls = options.tls || !options.tls_ca.empty() || !options.tls_cert.empty();
  if (!wants_tls) {
    if (!IsLocalAddress(options.address) && !options.plaintext)
      return MakeError(
          Code::kInvalidArgument,
          "the connection to {} would not be encrypted: name a CA file for TLS, or allow plaintext",
          options.address);
    return grpc::InsecureChannelCredentials();
  }
  if (options.tls_cert.empty() != options.tls_key.empty())
    return MakeError(Code::kInvalidArgument,
                     "a client certificate and its key come together: name both files, or none");
  grpc::SslCredentialsOptions ssl;
  if (!options.tls_ca.empty()) {
    PTXFARM_ASSIGN_OR_RETURN(ssl.pem_root_certs, ReadPem(options.tls_ca, "the CA file"));
  }
  if (!options.tls_cert.empty()) {
    PTXFARM_ASSIGN_OR_RETURN(ssl.pem_cert_chain,
                             ReadPem(options.tls_cert, "the client certificate"));
    PTXFARM_ASSIGN_OR_RETURN(ssl.pem_private_key, ReadPem(options.tls_key, "the client key"));
  }
  return grpc::SslCredentials(ssl);
}

Result<std::string> ReadToken(const std::string& path) {
  if (path.empty()) return std::string();
  Result<std::string> text = ReadFile(path, 4096);
  if (!text) return std::move(text).error().Wrap("read the token file");
  std::string token = *std::move(text);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r' || token.back() == ' '))
    token.pop_back();
  const bool printable = token.find_first_of(" \t\r\n") == std::string::npos;
  if (token.empty() || !printable)
    return MakeError(Code::kInvalidArgument, "the token file {} must hold one token on one line",
                     path);
  return token;
}

}  // namespace

bool IsLocalAddress(std::string_view address) {
  if (IsUnix(address)) return true;
  const std::string_view host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

Result<Channel> Channel::Make(const ChannelOptions& options) {
  PTXFARM_RETURN_IF_ERROR(CheckAddress(options.address));
  PTXFARM_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::ChannelCredentials> credentials,
                           MakeCredentials(options));
  Channel channel;
  PTXFARM_ASSIGN_OR_RETURN(channel.token_, ReadToken(options.token_file));
  channel.address_ = options.address;

  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMessageBytesMax);
  arguments.SetMaxSendMessageSize(kMessageBytesMax);
  // A dead peer is noticed within 30 seconds also while a call is silent for long.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 5'000);
  // A proxy named in the environment is for web traffic; a farm is reached directly.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // Channels to one address share a connection otherwise, also when one asks for other credentials
  // in a test.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  if (!options.tls_name.empty()) arguments.SetSslTargetNameOverride(options.tls_name);
  channel.channel_ = grpc::CreateCustomChannel(options.address, credentials, arguments);
  return channel;
}

void Channel::Prepare(grpc::ClientContext& context, std::string_view method,
                      std::optional<std::chrono::milliseconds> deadline,
                      std::string_view traceparent) const {
  if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
  if (!traceparent.empty()) context.AddMetadata("traceparent", std::string(traceparent));
  const std::chrono::milliseconds wait = deadline.value_or(PolicyOf(method).deadline);
  if (wait.count() > 0) context.set_deadline(std::chrono::system_clock::now() + wait);
}

}  // namespace ptxfarm::rpc
