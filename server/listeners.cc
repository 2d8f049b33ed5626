#include "server/listeners.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include "base/file.h"
#include "base/text.h"
#include "rpc/channel.h"

namespace ptxfarm::server {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr unsigned kCertificateRefreshSeconds = 10;

// gRPC reads the files itself, again and again; a first look tells what is wrong while somebody
// watches.
Status CheckPem(const std::string& path, std::string_view what) {
  const Result<std::string> text = ReadFile(path, 1 << 20);
  if (!text) return Error(text.error()).Wrap("read {}", what);
  if (text->find("-----BEGIN ") == std::string::npos)
    return MakeError(Code::kInvalidArgument, "read {}: {} is not a PEM file", what, path);
  return Ok{};
}

// Null where no certificate is named.
Result<std::shared_ptr<grpc::ServerCredentials>> MakeTls(const ServerOptions& options) {
  if (options.tls_cert.empty() && options.tls_key.empty()) {
    if (!options.tls_client_ca.empty())
      return MakeError(Code::kInvalidArgument, "--tls-client-ca needs --tls-cert and --tls-key");
    return std::shared_ptr<grpc::ServerCredentials>();
  }
  if (options.tls_cert.empty() || options.tls_key.empty())
    return MakeError(Code::kInvalidArgument, "--tls-cert and --tls-key come together");
  PTXFARM_RETURN_IF_ERROR(CheckPem(options.tls_cert, "the server's certificate"));
  PTXFARM_RETURN_IF_ERROR(CheckPem(options.tls_key, "the server's key"));
  const bool mutual = !options.tls_client_ca.empty();
  if (mutual) PTXFARM_RETURN_IF_ERROR(CheckPem(options.tls_client_ca, "the client authorities"));
  grpc::experimental::TlsServerCredentialsOptions tls(
      mutual ? std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(
                   options.tls_key, options.tls_cert, options.tls_client_ca,
                   kCertificateRefreshSeconds)
             : std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(
                   options.tls_key, options.tls_cert, kCertificateRefreshSeconds));
  tls.watch_identity_key_cert_pairs();
  if (mutual) {
    tls.watch_root_certs();
    tls.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  }
  return grpc::experimental::TlsServerCredentials(tls);
}

}  // namespace

Result<std::unique_ptr<Listeners>> Listeners::Add(const ServerOptions& options,
                                                  grpc::ServerBuilder& builder) {
  PTXFARM_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::ServerCredentials> tls, MakeTls(options));
  std::unique_ptr<Listeners> listeners(new Listeners);
  for (const std::string& address : options.listen)
    PTXFARM_RETURN_IF_ERROR(listeners->AddOne(address, tls, options.plaintext, builder));
  if (listeners->listeners_.empty())
    return MakeError(Code::kInvalidArgument, "--listen names no address");
  return listeners;
}

Status Listeners::AddOne(const std::string& address,
                         const std::shared_ptr<grpc::ServerCredentials>& tls, bool plaintext,
                         grpc::ServerBuilder& builder) {
  Listener listener{.address = address, .port = std::make_unique<int>(0)};
  std::shared_ptr<grpc::ServerCredentials> credentials = tls;
  if (address.starts_with(kUnix)) {
    // Its bytes don't leave the machine, and the folder says who may connect.
    PTXFARM_RETURN_IF_ERROR(LockSocket(address.substr(kUnix.size())));
    credentials = grpc::InsecureServerCredentials();
  } else if (const std::size_t colon = address.rfind(':');
             colon == std::string::npos || colon == 0) {
    return MakeError(
        Code::kInvalidArgument,
        "'{}' is no address to listen on: write unix:/path/to.sock, host:port or [ipv6]:port",
        Shortened(address));
  } else if (credentials == nullptr) {
    if (!rpc::IsLocalAddress(address) && !plaintext)
      return MakeError(Code::kInvalidArgument,
                       "{} would be reached by other machines without encryption: name --tls-cert "
                       "and --tls-key, or allow "
                       "--plaintext",
                       address);
    credentials = grpc::InsecureServerCredentials();
  }
  builder.AddListeningPort(address, credentials, listener.port.get());
  listeners_.push_back(std::move(listener));
  return Ok{};
}

// gRPC would take over a socket that another server listens on, and nobody would notice.
Status Listeners::LockSocket(const std::string& path) {
  const std::string lock_path = path + ".lock";
  const int lock = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return ErrnoError(errno, fmt::format("create {}", lock_path));
  locks_.push_back(lock);
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0)
    return MakeError(Code::kFailedPrecondition, "another server listens on {}", path);
  return Ok{};
}

Result<std::vector<std::string>> Listeners::Addresses() const {
  std::vector<std::string> addresses;
  for (const Listener& listener : listeners_) {
    if (*listener.port == 0)
      return MakeError(Code::kUnavailable, "can't listen on {}: is it taken?", listener.address);
    const bool is_unix = listener.address.starts_with(kUnix);
    addresses.push_back(
        is_unix ? listener.address
                : fmt::format("{}:{}", listener.address.substr(0, listener.address.rfind(':')),
                              *listener.port));
  }
  return addresses;
}

Listeners::~Listeners() {
  for (const int lock : locks_) ::close(lock);
}

}  // namespace ptxfarm::server
