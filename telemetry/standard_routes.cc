#include "telemetry/standard_routes.h"

#include <chrono>
#include <memory>

namespace ptxfarm::telemetry {
namespace {

// State that the handlers share.
struct Shared {
  StandardRoutes routes;
  TimePoint begin;

  Status Ready() const { return routes.ready == nullptr ? Status(Ok{}) : routes.ready(); }

  HttpResponse Readiness() const {
    const Status ready = Ready();
    if (ready) return {.body = "ready\n"};
    return {.status = 503, .body = ready.error().message + "\n"};
  }

  HttpResponse Page() const {
    const Status ready = Ready();
    StatusPage page{
        .title = routes.program,
        .version = routes.version,
        .uptime = std::chrono::floor<std::chrono::seconds>(routes.clock.Now() - begin),
        .is_ready = ready.has_value(),
        .not_ready_reason = ready ? "" : ready.error().message,
        .sections = {},
        .links = {{"/metrics", "Metrics"}, {"/healthz", "Health"}, {"/readyz", "Readiness"}},
    };
    if (routes.sections != nullptr) page.sections = routes.sections();
    HttpResponse response{.body = StatusHtml(page), .content_type = "text/html; charset=utf-8"};
    response.headers = {{"Cache-Control", "no-store"},
                        {"Content-Security-Policy",
                         "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}};
    return response;
  }
};

}  // namespace

std::vector<HttpRoute> MakeStandardRoutes(StandardRoutes standard) {
  const TimePoint begin = standard.clock.Now();
  const auto shared = std::make_shared<const Shared>(Shared{std::move(standard), begin});
  const auto metrics = [shared](const HttpRequest&) {
    return HttpResponse{.body = shared->routes.metrics.Text(),
                        .content_type = std::string(Metrics::kContentType)};
  };
  const auto health = [](const HttpRequest&) { return HttpResponse{.body = "ok\n"}; };
  const auto readiness = [shared](const HttpRequest&) { return shared->Readiness(); };
  const auto page = [shared](const HttpRequest&) { return shared->Page(); };
  return {
      {.path = "/", .methods = {"GET"}, .handler = page},
      {.path = "/metrics", .methods = {"GET"}, .handler = metrics, .is_urgent = true},
      {.path = "/healthz",
       .methods = {"GET"},
       .handler = health,
       .is_open = true,
       .is_urgent = true},
      {.path = "/readyz",
       .methods = {"GET"},
       .handler = readiness,
       .is_open = true,
       .is_urgent = true},
  };
}

}  // namespace ptxfarm::telemetry
