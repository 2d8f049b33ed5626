// HTTP as handlers see it: a request, a response, routes. The library behind stays in
// http_runner.cc.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::telemetry {

struct HttpRequest {
  std::string method;    // "GET" also for HEAD: the server leaves out the body.
  bool is_head = false;  // For handlers to whom the body is work.
  std::string path;      // Decoded, without the query; may hold any byte.
  std::multimap<std::string, std::string> parameters;
  std::string peer;  // The address of who asks.

  // The value of a header, empty where there is none; names are compared without case.
  std::function<std::string(const std::string& name)> header;

  // Hands over the body piece by piece, once. The receiver's error ends it. RESOURCE_EXHAUSTED
  // where it is longer than the route allows, UNAVAILABLE where the peer went away or sent nothing
  // for too long.
  using Receive = std::function<Status(std::string_view piece)>;
  std::function<Status(const Receive& receive)> read_body;
};

// The whole body, which the route bounds.
Result<std::string> ReadBody(const HttpRequest& request);

struct HttpResponse {
  int status = 200;
  std::string body;
  std::string content_type = "text/plain; charset=utf-8";
  std::vector<std::pair<std::string, std::string>> headers = {};

  // For bodies too large to hold: `stream` gives the bytes from `offset` on, some at least, until
  // all `stream_bytes` are out. After an error the connection is closed, so that the peer sees that
  // it has a part only.
  std::function<Result<std::string>(u64 offset)> stream = nullptr;
  u64 stream_bytes = 0;
};

// "NOT_FOUND: …" as status 404 and one line of text.
HttpResponse ErrorResponse(const Error& error);

// Called from several threads.
using HttpHandler = std::function<HttpResponse(const HttpRequest& request)>;

struct HttpRoute {
  std::string path;  // "/metrics"; one that ends in '/' takes all below it, the longest wins. "/"
                     // is itself only.
  std::vector<std::string> methods;  // "GET" stands for HEAD too.
  HttpHandler handler;
  u64 body_bytes_max = 0;
  bool is_open = false;  // Asks for no token: orchestrators' probes have none.
  bool is_urgent =
      false;  // Answers at once, and is served even while all threads but one are busy.
  // Paths of a form that no beginning tells ("/any/prefix/cas/…"): takes those that it says yes to,
  // but for the exact paths of others. `path` is then a name only.
  std::function<bool(std::string_view path)> takes = nullptr;
};

// The token of an Authorization header: of "Bearer TOKEN", or of "Basic …" the password (the user
// where that is empty), as clients send it that know tokens only inside an address:
// https://user:TOKEN@host. Empty where there is none.
std::string TokenOf(std::string_view authorization);

// The route of a path, or null.
const HttpRoute* FindRoute(const std::vector<HttpRoute>& routes, std::string_view path);

}  // namespace ptxfarm::telemetry
