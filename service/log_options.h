// How a program of the service logs: the rows of the options, and the logger that they make.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "config/program.h"
#include "telemetry/log.h"

namespace ptxfarm::service {

struct LogOptions {
  std::string file;  // Empty: standard error.
  telemetry::LogOptions log{.lines_per_event_per_second = 100};
};

// Under `table` of the config file: each program may log in its own way.
config::OptionGroup LogGroup(LogOptions& options, std::string table);

Result<std::unique_ptr<telemetry::LogSink>> OpenLog(const LogOptions& options);

}  // namespace ptxfarm::service
