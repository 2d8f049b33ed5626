#include "telemetry/http.h"

#include <strings.h>

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
    response.headers.emplace_back("WWW-Authenticate", "Bearer, Basic realm=\"ptxfarm\"");
  return response;
}

namespace {

// Takes "Bearer " or the like off the front, in any case of letters.
bool TakeScheme(std::string_view& text, std::string_view scheme) {
  if (text.size() <= scheme.size() || text[scheme.size()] != ' ' ||
      ::strncasecmp(text.data(), scheme.data(), scheme.size()) != 0)
    return false;
  text.remove_prefix(scheme.size() + 1);
  return true;
}

// Base64 as RFC 4648 §4 has it; nothing where a character is none of its. The header bounds it.
std::optional<std::string> FromBase64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  u32 bits = 0;
  std::size_t count = 0;
  for (const char c : text) {
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<u32>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xff));
  }
  return bytes;
}

}  // namespace

std::string TokenOf(std::string_view authorization) {
  if (TakeScheme(authorization, "Bearer")) return std::string(authorization);
  if (!TakeScheme(authorization, "Basic")) return "";
  const std::string pair = FromBase64(authorization).value_or("");
  const std::size_t colon = pair.find(':');
  if (colon == std::string::npos) return "";
  return colon + 1 < pair.size() ? pair.substr(colon + 1) : pair.substr(0, colon);
}

const HttpRoute* FindRoute(const std::vector<HttpRoute>& routes, std::string_view path) {
  const HttpRoute* best = nullptr;
  const HttpRoute* by_form = nullptr;
  for (const HttpRoute& route : routes) {
    if (route.path == path) return &route;
    if (route.takes != nullptr) {
      if (by_form == nullptr && route.takes(path)) by_form = &route;
      continue;
    }
    const bool takes_all_below = route.path.size() > 1 && route.path.ends_with('/');
    if (takes_all_below && path.starts_with(route.path) &&
        (best == nullptr || route.path.size() > best->path.size()))
      best = &route;
  }
  return by_form != nullptr ? by_form : best;
}

}  // namespace ptxfarm::telemetry
