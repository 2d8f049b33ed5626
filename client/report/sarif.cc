#include "client/report/sarif.h"

#include <algorithm>

#include "base/version.h"
#include "toolchain/ptx/inline_assembly/inline_kinds.h"
#include "toolchain/ptx/isa/instruction_kinds.h"

namespace ptxfarm::client {
namespace {

std::string_view LevelOf(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  return "none";
}

// The row of a kind; null of those that other programs report.
const ptx::DiagnosticKind* FindKind(std::string_view name) {
  namespace kinds = ptx::kinds;
  using Rows = std::span<const ptx::DiagnosticKind* const>;
  for (const Rows rows :
       {Rows(kinds::kAll), Rows(kinds::kAllOfInstructions), Rows(kinds::kAllOfInline)})
    for (const ptx::DiagnosticKind* const kind : rows)
      if (kind->name == name) return kind;
  return nullptr;
}

// The row's format as a sentence: "'…' is not declared here".
std::string SentenceOf(const ptx::DiagnosticKind* kind, const Diagnostic& diagnostic) {
  if (kind == nullptr || kind->format == "{}") return diagnostic.kind + " in PTX";
  std::string sentence;
  for (std::size_t at = 0; at < kind->format.size(); ++at) {
    const char c = kind->format[at];
    if (c != '{' && c != '}') {
      sentence += c;
      continue;
    }
    const bool is_doubled = at + 1 < kind->format.size() && kind->format[at + 1] == c;
    if (is_doubled) {
      sentence += c;
      ++at;
    } else if (c == '{') {
      sentence += "…";
      at = kind->format.find('}', at);
    }
  }
  return sentence;
}

// RFC 3986: a relative path is a relative reference.
std::string UriOf(const std::string& path) {
  if (path == "-") return "stdin";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    if (is_plain)
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

std::size_t Utf16Units(std::string_view bytes) {
  std::size_t units = 0;
  for (const char c : bytes) {
    const u8 byte = static_cast<u8>(c);
    if ((byte & 0xC0) != 0x80) ++units;
    if (byte >= 0xF0) ++units;  // Two for what lies beyond the first plane.
  }
  return units;
}

class File {
 public:
  File(const std::string& path, std::string_view text) : uri_(UriOf(path)), text_(text) {
    starts_.push_back(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
      starts_.push_back(at + 1);
  }

  // A place without a line is the whole file.
  Json LocationOf(const Place& place, u32 length) const {
    Json physical = {{"artifactLocation", {{"uri", uri_}}}};
    if (place.line != 0) physical["region"] = RegionOf(place, length);
    return {{"physicalLocation", std::move(physical)}};
  }

 private:
  Json RegionOf(const Place& place, u32 length) const {
    Json region = {{"startLine", place.line}};
    if (place.column == 0 || place.line > starts_.size()) return region;
    const std::size_t begin = starts_[place.line - 1];
    std::string_view line = text_.substr(begin, text_.find('\n', begin) - begin);
    const std::size_t before = std::min<std::size_t>(place.column - 1, line.size());
    const std::size_t start = Utf16Units(line.substr(0, before)) + 1;
    region["startColumn"] = start;
    if (length > 0) region["endColumn"] = start + Utf16Units(line.substr(before, length));
    return region;
  }

  std::string uri_;
  std::string_view text_;
  std::vector<std::size_t> starts_;  // Of the lines.
};

}  // namespace

SarifLog::SarifLog() = default;

void SarifLog::Add(const std::string& path, std::string_view text,
                   std::span<const Diagnostic> diagnostics) {
  const File file(path, text);
  for (const Diagnostic& diagnostic : diagnostics) {
    std::string message = diagnostic.message;
    if (!diagnostic.hint.empty()) message += "; " + diagnostic.hint;
    Json result = {{"ruleId", diagnostic.kind},
                   {"ruleIndex", RuleIndexOf(diagnostic)},
                   {"level", LevelOf(diagnostic.severity)},
                   {"message", {{"text", std::move(message)}}},
                   {"locations", {file.LocationOf(diagnostic.place, diagnostic.length)}}};
    Json related = Json::array();
    for (const RelatedPlace& place : diagnostic.related) {
      Json location = file.LocationOf(place.place, place.length);
      location["id"] = related.size() + 1;
      location["message"] = {{"text", place.message}};
      related.push_back(std::move(location));
    }
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    if (!diagnostic.section.empty()) result["properties"] = {{"ptxSection", diagnostic.section}};
    results_.push_back(std::move(result));
  }
}

void SarifLog::AddFailure(const Error& error) {
  notifications_.push_back({{"level", "error"}, {"message", {{"text", error.message}}}});
}

std::string SarifLog::Finish(ExitCode exit_code) {
  const bool looked = exit_code == ExitCode::kOk || exit_code == ExitCode::kInput;
  const Json driver = {
      {"name", "ptxfarm"}, {"version", std::string(kVersion)}, {"rules", std::move(rules_)}};
  const Json invocation = {{"executionSuccessful", looked},
                           {"exitCode", static_cast<int>(exit_code)},
                           {"toolExecutionNotifications", std::move(notifications_)}};
  Json run = {{"tool", {{"driver", driver}}},
              {"columnKind", "utf16CodeUnits"},
              {"invocations", Json::array({invocation})},
              {"results", std::move(results_)}};
  return Print({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                {"version", "2.1.0"},
                {"runs", Json::array({std::move(run)})}});
}

std::size_t SarifLog::RuleIndexOf(const Diagnostic& diagnostic) {
  const auto at = std::ranges::find(kinds_, diagnostic.kind);
  const auto index = static_cast<std::size_t>(at - kinds_.begin());
  if (at != kinds_.end()) return index;
  kinds_.push_back(diagnostic.kind);
  const std::string sentence = SentenceOf(FindKind(diagnostic.kind), diagnostic);
  std::string help = sentence;
  if (!diagnostic.section.empty()) help += fmt::format(" See PTX ISA §{}.", diagnostic.section);
  rules_.push_back({{"id", diagnostic.kind},
                    {"shortDescription", {{"text", sentence}}},
                    {"help", {{"text", std::move(help)}}},
                    {"defaultConfiguration", {{"level", LevelOf(diagnostic.severity)}}}});
  return index;
}

}  // namespace ptxfarm::client
