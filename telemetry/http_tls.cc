#include "telemetry/http_tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <utility>

namespace ptxfarm::telemetry {

void TlsContextDeleter::operator()(ssl_ctx_st* context) const { ::SSL_CTX_free(context); }
void TlsSessionDeleter::operator()(ssl_st* session) const { ::SSL_free(session); }

namespace {

// OpenSSL's own words for what went wrong last.
Error TlsError(std::string_view what, const std::string& file) {
  char reason[256] = "unknown";
  if (const unsigned long code = ::ERR_get_error(); code != 0)
    ::ERR_error_string_n(code, reason, sizeof(reason));
  ::ERR_clear_error();
  return MakeError(Code::kInvalidArgument, "{} {}: {}", what, file, reason);
}

Status AddClientAuthorities(SSL_CTX* context, const std::string& file) {
  if (::SSL_CTX_load_verify_locations(context, file.c_str(), nullptr) != 1)
    return TlsError("read certificates of", file);
  STACK_OF(X509_NAME)* const names = ::SSL_load_client_CA_file(file.c_str());
  if (names == nullptr) return TlsError("read certificates of", file);
  ::SSL_CTX_set_client_CA_list(context, names);  // Takes them over.
  ::SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return Ok{};
}

Result<TlsContext> MakeContext(const TlsFiles& files) {
  TlsContext context(::SSL_CTX_new(::TLS_server_method()));
  if (context == nullptr) return TlsError("make a TLS context for", files.certificate);
  ::SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  ::SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // Sockets don't block: a write may be taken up again with the rest of the bytes at another place.
  ::SSL_CTX_set_mode(context.get(),
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (::SSL_CTX_use_certificate_chain_file(context.get(), files.certificate.c_str()) != 1)
    return TlsError("read certificate", files.certificate);
  const std::string& key = files.key.empty() ? files.certificate : files.key;
  if (::SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM) != 1)
    return TlsError("read key", key);
  if (::SSL_CTX_check_private_key(context.get()) != 1)
    return TlsError("match the certificate with the key", key);
  // Sessions are for resuming; the id keeps them from being mixed with another server's.
  static constexpr unsigned char kSessionContext[] = "ptxfarm";
  ::SSL_CTX_set_session_id_context(context.get(), kSessionContext, sizeof(kSessionContext) - 1);
  if (!files.client_ca.empty())
    PTXFARM_RETURN_IF_ERROR(AddClientAuthorities(context.get(), files.client_ca));
  return context;
}

}  // namespace

Result<std::unique_ptr<TlsSource>> TlsSource::Make(TlsFiles files) {
  if (files.certificate.empty()) {
    if (!files.key.empty() || !files.client_ca.empty())
      return Error{Code::kInvalidArgument, "a TLS key or client CA is given, but no certificate"};
    return std::unique_ptr<TlsSource>();
  }
  Stamps stamps = StampsOf(files);
  PTXFARM_ASSIGN_OR_RETURN(TlsContext context, MakeContext(files));
  return std::unique_ptr<TlsSource>(
      new TlsSource(std::move(files), std::move(context), std::move(stamps)));
}

TlsSource::TlsSource(TlsFiles files, TlsContext context, Stamps stamps)
    : files_(std::move(files)), context_(std::move(context)), stamps_(std::move(stamps)) {}

ssl_ctx_st* TlsSource::Current() {
  Stamps stamps = StampsOf(files_);
  if (stamps == stamps_) return context_.get();
  if (Result<TlsContext> fresh = MakeContext(files_)) {
    context_ = *std::move(fresh);
    stamps_ = std::move(stamps);
  }
  return context_.get();
}

TlsSource::Stamps TlsSource::StampsOf(const TlsFiles& files) {
  Stamps stamps;
  for (const std::string* const file : {&files.certificate, &files.key, &files.client_ca}) {
    struct stat info {};
    if (file->empty() || ::stat(file->c_str(), &info) != 0) continue;
    stamps.push_back({static_cast<i64>(info.st_ino), i64{info.st_size}, i64{info.st_mtim.tv_sec},
                      i64{info.st_mtim.tv_nsec}});
  }
  return stamps;
}

}  // namespace ptxfarm::telemetry
