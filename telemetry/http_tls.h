// TLS of the HTTP server.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/int.h"
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

// The contexts of connections to come: made from files, and made anew when those change, so that a
// certificate is renewed without a restart. For one thread.
class TlsSource {
 public:
  // TLS 1.2 and later. Nothing where no certificate is named.
  static Result<std::unique_ptr<TlsSource>> Make(TlsFiles files);

  // As the files are now. While they can't be used (one is new, the other isn't yet), as they were.
  ssl_ctx_st* Current();

 private:
  using Stamps = std::vector<std::array<i64, 4>>;
  TlsSource(TlsFiles files, TlsContext context, Stamps stamps);

  static Stamps StampsOf(const TlsFiles& files);

  const TlsFiles files_;
  TlsContext context_;  // Connections hold theirs.
  Stamps stamps_;
};

}  // namespace ptxfarm::telemetry
