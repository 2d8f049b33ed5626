// The documents that --json prints. docs/json.md is their contract: fields are added, never changed
// or removed.
#pragma once

#include <chrono>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "client/report/diagnostics.h"
#include "client/report/module_report.h"

namespace ptxfarm::client {

using Json = nlohmann::ordered_json;

// A document with its schema's name as first field: "ptxfarm.compile.v1".
Json Document(std::string_view command);

Json ToJson(const Error& error);
Json ToJson(const action::CompilerIdentity& identity);
Json ToJson(const action::KernelResources& kernel);
Json ToJson(const TargetReply& reply);
Json ToJson(const ShownDiagnostic& shown);

Json CompileDocument(std::span<const ModuleReport> reports, ExitCode exit_code,
                     const std::string& server, std::chrono::microseconds wall_time);

// A document for a call that failed before it had anything to say.
Json ErrorDocument(std::string_view command, const Error& error, ExitCode exit_code);

// Two blanks of indentation and a line end. Bytes that aren't UTF-8 (names come out of files)
// become U+FFFD.
std::string Print(const Json& document);

}  // namespace ptxfarm::client
