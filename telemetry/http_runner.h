// Answers one request of a connection: reads its header and body, finds the route, writes the
// response.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "telemetry/http.h"
#include "telemetry/http_connection.h"

namespace ptxfarm::telemetry {

// Whether a request may pass; `token` is what TokenOf (http.h) finds, or empty. UNAUTHENTICATED or
// PERMISSION_DENIED.
using HttpAuthorize = std::function<Status(const HttpRequest& request, const std::string& token)>;

// For one thread; it has no state from request to request.
class HttpRunner {
 public:
  // `authorize` may be null. Both must outlive the runner.
  HttpRunner(const std::vector<HttpRoute>& routes, const HttpAuthorize& authorize);
  ~HttpRunner();

  // The connection's header is whole. Returns whether the connection can carry another request;
  // with `is_last` the peer is told that it won't.
  bool Run(HttpConnection& connection, bool is_last);

 private:
  class Grammar;
  std::unique_ptr<Grammar> grammar_;
};

}  // namespace ptxfarm::telemetry
