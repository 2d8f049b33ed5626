#include "client/lib/explain.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace ptxfarm::client {
namespace {

struct Row {
  std::string_view part;  // Of gRPC's message, in lower case.
  Code code;
  std::string_view advice;
};

constexpr std::string_view kClosed =
    "it closed the connection: it was stopped, it speaks TLS and --tls-ca is missing, or it asks "
    "for a client certificate "
    "(--tls-cert)";

// gRPC 1.51 reports what OpenSSL and the system say only as text. The first row that fits counts.
// clang-format off
constexpr Row kRows[] = {
    {"certificate verify failed", Code::kUnauthenticated, "its certificate isn't signed by an authority trusted here; name the right one with --tls-ca"},
    {"certificate_verify_failed", Code::kUnauthenticated, "its certificate isn't signed by an authority trusted here; name the right one with --tls-ca"},
    {"hostname verification",     Code::kUnauthenticated, "its certificate is for another name; use that name in the address, or give it with --tls-name"},
    {"peer name",                 Code::kUnauthenticated, "its certificate is for another name; use that name in the address, or give it with --tls-name"},
    {"certificate required",      Code::kUnauthenticated, "it asks for a client certificate; give one with --tls-cert and --tls-key"},
    {"unknown ca",                Code::kUnauthenticated, "it doesn't accept the client certificate of --tls-cert"},
    {"bad certificate",           Code::kUnauthenticated, "it doesn't accept the client certificate of --tls-cert"},
    {"wrong version number",      Code::kUnauthenticated, "it speaks no TLS; leave --tls and --tls-ca out, or name its TLS address"},
    {"wrong_version_number",      Code::kUnauthenticated, "it speaks no TLS; leave --tls and --tls-ca out, or name its TLS address"},
    {"ssl handshake failed",      Code::kUnauthenticated, "no TLS connection came about; check --tls-ca, --tls-cert and that it speaks TLS"},
    {"handshake failed",          Code::kUnauthenticated, "no TLS connection came about; check --tls-ca, --tls-cert and that it speaks TLS"},
    {"connection refused",        Code::kUnavailable,     "no server listens there; start one ('ptxfarm serve'), or check the address"},
    {"no such file or directory", Code::kUnavailable,     "no server listens there; start one ('ptxfarm serve'), or check the path"},
    {"permission denied",         Code::kPermissionDenied, "this user may not open the socket"},
    {"dns resolution failed",     Code::kUnavailable,     "that host name is not known; check the address"},
    {"domain name not found",     Code::kUnavailable,     "that host name is not known; check the address"},
    {"timed out",                 Code::kUnavailable,     "it doesn't answer; check the address and the network"},
    {"socket closed",             Code::kUnavailable,     kClosed},
    {"connection reset",          Code::kUnavailable,     kClosed},
    {"stream removed",            Code::kUnavailable,     "it went away in the middle of the call"},
    {"broken pipe",               Code::kUnavailable,     "it went away in the middle of the call"},
    {"keepalive watchdog timeout", Code::kUnavailable,    "it stopped answering in the middle of the call"},
    {"http2 header with status",  Code::kUnimplemented,   "it is no farm; check the address"},
    {"failed to connect",         Code::kUnavailable,     "it can't be reached; check the address and that a server runs there"},
};
// clang-format on

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

const Row* RowFor(const Error& error) {
  // UNKNOWN and INTERNAL are how gRPC reports some broken streams; other codes are the server's own
  // words.
  // UNIMPLEMENTED is what some web server's 404 becomes.
  if (error.code != Code::kUnavailable && error.code != Code::kUnknown &&
      error.code != Code::kInternal && error.code != Code::kUnimplemented)
    return nullptr;
  const std::string message = Lower(error.message);
  for (const Row& row : kRows)
    if (message.find(row.part) != std::string::npos) return &row;
  return nullptr;
}

}  // namespace

Error Explain(Error error, const std::string& server) {
  if (const Row* row = RowFor(error))
    return MakeError(row->code, "cannot talk to {}: {} ({})", server, row->advice, error.message);
  switch (error.code) {
    case Code::kUnauthenticated:
    case Code::kPermissionDenied:
      return MakeError(error.code,
                       "{} refuses the call: {}; give the right token with --token-file", server,
                       error.message);
    case Code::kCancelled: return MakeError(error.code, "cancelled");
    default: return error;
  }
}

}  // namespace ptxfarm::client
