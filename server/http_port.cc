#include "server/http_port.h"

#include <cstdio>
#include <utility>

#include "rpc/channel.h"
#include "server/http_cache/http_cache.h"

namespace ptxfarm::server {
namespace {

using telemetry::HttpRequest;
using telemetry::HttpResponse;

// A build asks with a hundred connections at once, and each body holds a thread while it streams.
constexpr std::size_t kCacheThreads = 32;
constexpr std::size_t kCacheConnectionsMax = 1024;

HttpResponse Text(int status, std::string body) {
  return {.status = status, .body = std::move(body)};
}

std::vector<telemetry::HttpRoute> PageRoutes(const HttpPort& port) {
  return {
      {.path = "/healthz",
       .methods = {"GET"},
       .handler = [](const HttpRequest&) { return Text(200, "ok\n"); },
       .is_open = true,
       .is_urgent = true},
      {.path = "/readyz",
       .methods = {"GET"},
       .handler =
           [ready = port.is_ready](const HttpRequest&) {
             return ready() ? Text(200, "ready\n") : Text(503, "draining\n");
           },
       .is_open = true,
       .is_urgent = true},
      {.path = "/metrics",
       .methods = {"GET"},
       .handler =
           [&registry = port.registry](const HttpRequest&) {
             return HttpResponse{.body = registry.Text(),
                                 .content_type = std::string(telemetry::Metrics::kContentType)};
           }},
      {.path = "/",
       .methods = {"GET"},
       .handler =
           [page = port.page](const HttpRequest&) {
             return HttpResponse{.body = telemetry::StatusHtml(page()),
                                 .content_type = "text/html; charset=utf-8"};
           }},
  };
}

// The tenant of who asks. What changes the store needs the role of those who fill it by compiling.
Result<std::string> Admit(const Authenticator& authenticator, const HttpRequest& request,
                          const std::string& token) {
  return authenticator.Authorize(token.empty() ? "" : "Bearer " + token, "",
                                 request.method == "GET" ? "read" : "compile");
}

std::vector<telemetry::HttpRoute> CacheRoutes(const HttpPort& port) {
  // On the store's own disk, so that a large upload meets its limits and no others'.
  const std::string folder = port.options.store.empty() ? P_tmpdir : port.options.store;
  return http_cache::MakeRoutes(
      {.store = port.core.store,
       .spool_folder = folder,
       .body_bytes_max = port.options.http_cache_bytes_max,
       .tenant_of =
           [&authenticator = port.authenticator](const HttpRequest& request) {
             return Admit(authenticator, request,
                          telemetry::TokenOf(request.header("Authorization")));
           },
       .observe = [&metrics = port.metrics](
                      const http_cache::Event& event) { metrics.OnHttpCache(event); }});
}

}  // namespace

Result<std::unique_ptr<telemetry::HttpServer>> StartHttpPort(HttpPort port) {
  const ServerOptions& options = port.options;
  telemetry::HttpServerOptions server{
      .listen = options.http,
      .tls = {.certificate = options.http_tls_cert, .key = options.http_tls_key}};
  if (port.authenticator.has_tokens())
    server.authorize = [&authenticator = port.authenticator](const HttpRequest& request,
                                                             const std::string& token) -> Status {
      PTXFARM_RETURN_IF_ERROR(Admit(authenticator, request, token));
      return Ok{};
    };
  std::vector<telemetry::HttpRoute> routes = PageRoutes(port);
  if (options.http_cache) {
    if (options.http_tls_cert.empty() && !rpc::IsLocalAddress(options.http) && !options.plaintext)
      return MakeError(Code::kInvalidArgument,
                       "--http-cache on {} would be reached by other machines without encryption: "
                       "name --http-tls-cert and --http-tls-key, or allow --plaintext",
                       options.http);
    server.threads = kCacheThreads;
    server.connections_max = kCacheConnectionsMax;
    for (telemetry::HttpRoute& route : CacheRoutes(port)) routes.push_back(std::move(route));
  }
  return telemetry::HttpServer::Start(std::move(server), std::move(routes));
}

}  // namespace ptxfarm::server
