#include "service/log_options.h"

#include <utility>

namespace ptxfarm::service {

config::OptionGroup LogGroup(LogOptions& options, std::string table) {
  using telemetry::Level;
  using telemetry::LogFormat;
  // clang-format off
  return {"Log", std::move(table), {
      {"log-file",   "FILE",   "Append the log to this file instead of standard error.", config::File(&options.file)},
      {"log-level",  "LEVEL",  "Leave out lines below this level.",
       config::Choice<Level>(&options.log.level, {{"debug", Level::kDebug}, {"info", Level::kInfo}, {"warning", Level::kWarning}, {"error", Level::kError}})},
      {"log-format", "FORMAT", "Lines of key=value, or of JSON.",
       config::Choice<LogFormat>(&options.log.format, {{"text", LogFormat::kText}, {"json", LogFormat::kJson}})},
  }};
  // clang-format on
}

Result<std::unique_ptr<telemetry::LogSink>> OpenLog(const LogOptions& options) {
  if (options.file.empty())
    return std::unique_ptr<telemetry::LogSink>(telemetry::FileLogSink::ToStandardError());
  PTXFARM_ASSIGN_OR_RETURN(std::unique_ptr<telemetry::FileLogSink> file,
                           telemetry::FileLogSink::ToFile(options.file));
  return std::unique_ptr<telemetry::LogSink>(std::move(file));
}

}  // namespace ptxfarm::service
