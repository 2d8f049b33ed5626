#include "telemetry/http.h"

namespace ptxfarm::telemetry {

Result<std::string> ReadBody(const HttpRequest& request) {
  std::string body;
  PTXFARM_RETURN_IF_ERROR(request.read_body([&body](std::string_view piece) -> Status {
    body += piece;
    return Ok{};
  }));
  return body;
}

namespace {

int StatusOf(Code code) {
  switch (code) {
    case Code::kOk: return 200;
    case Code::kInvalidArgument:
    case Code::kOutOfRange: return 400;
    case Code::kUnauthenticated: return 401;
    case Code::kPermissionDenied: return 403;
    case Code::kNotFound: return 404;
    case Code::kAlreadyExists:
    case Code::kAborted: return 409;
    case Code::kFailedPrecondition: return 412;
    case Code::kResourceExhausted: return 413;
    case Code::kUnimplemented: return 501;
    case Code::kUnavailable: return 503;
    case Code::kDeadlineExceeded: return 504;
    case Code::kCancelled:
    case Code::kUnknown:
    case Code::kInternal:
    case Code::kDataLoss: return 500;
  }
  return 500;
}

}  // namespace

HttpResponse ErrorResponse(const Error& error) {
  HttpResponse response{.status = StatusOf(error.code), .body = error.ToString() + "\n"};
  if (error.code == Code::kUnauthenticated)
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

const HttpRoute* FindRoute(const std::vector<HttpRoute>& routes, std::string_view path) {
  const HttpRoute* best = nullptr;
  for (const HttpRoute& route : routes) {
    if (route.path == path) return &route;
    const bool takes_all_below = route.path.size() > 1 && route.path.ends_with('/');
    if (takes_all_below && path.starts_with(route.path) &&
        (best == nullptr || route.path.size() > best->path.size()))
      best = &route;
  }
  return best;
}

}  // namespace ptxfarm::telemetry
