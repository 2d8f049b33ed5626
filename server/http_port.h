// The HTTP port of a server: metrics, health, the page for people, and the HTTP cache where it is
// on.
#pragma once

#include <functional>
#include <memory>

#include "server/authenticator.h"
#include "server/core.h"
#include "server/metrics.h"
#include "server/options.h"
#include "telemetry/http_server.h"
#include "telemetry/status_page.h"

namespace ptxfarm::server {

struct HttpPort {
  const ServerOptions& options;
  const Authenticator& authenticator;
  Core& core;
  ServerMetrics& metrics;
  telemetry::Metrics& registry;
  std::function<bool()> is_ready;
  std::function<telemetry::StatusPage()> page;
};

// Listens when it returns; what `port` refers to outlives it. INVALID_ARGUMENT: the cache would be
// open to other machines without encryption.
Result<std::unique_ptr<telemetry::HttpServer>> StartHttpPort(HttpPort port);

}  // namespace ptxfarm::server
