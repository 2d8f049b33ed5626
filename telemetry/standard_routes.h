// The routes that every program of ours has: /metrics, /healthz, /readyz, and the page at "/".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "telemetry/http.h"
#include "telemetry/metrics.h"
#include "telemetry/status_page.h"

namespace ptxfarm::telemetry {

struct StandardRoutes {
  std::string program;  // "ptxfarm-server"
  std::string version;
  Metrics& metrics;
  const Clock& clock;
  // Whether work can be taken, or why not: what an orchestrator asks before it sends some. Null:
  // always.
  std::function<Status()> ready = nullptr;
  // What the page tells below its head. Null: nothing.
  std::function<std::vector<StatusSection>()> sections = nullptr;
};

// /healthz answers as long as the process does; /readyz with 503 and the reason where work can't be
// taken. Both are open and urgent. Uptime counts from this call. The metrics and the clock outlive
// the server.
std::vector<HttpRoute> MakeStandardRoutes(StandardRoutes routes);

}  // namespace ptxfarm::telemetry
