// The rows of the page for people.
#pragma once

#include <vector>

#include "server/core.h"
#include "telemetry/status_page.h"

namespace ptxfarm::server {

std::vector<telemetry::StatusSection> StatusSections(const Core& core);

}  // namespace ptxfarm::server
