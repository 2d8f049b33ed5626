// TLS of the HTTP server.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

// OpenSSL's, which its headers define.
struct ssl_ctx_st;
struct ssl_st;

namespace ptxfarm::telemetry {

struct TlsFiles {
  std::string certificate;  // PEM, the server's own first, then the chain. Empty: no TLS.
  std::string key;          // PEM.
  std::string client_ca;    // PEM. Where given, clients must show a certificate of one of these.
};

struct TlsContextDeleter {
  void operator()(ssl_ctx_st* context) const;
};
using TlsContext = std::unique_ptr<ssl_ctx_st, TlsContextDeleter>;

struct TlsSessionDeleter {
  void operator()(ssl_st* session) const;
};
using TlsSession = std::unique_ptr<ssl_st, TlsSessionDeleter>;

// TLS 1.2 and later. Nothing (a null context) where no certificate is named.
Result<TlsContext> MakeTlsContext(const TlsFiles& files);

}  // namespace ptxfarm::telemetry
