#include "telemetry/metric_rows.h"

#include <algorithm>

#include <fmt/format.h>

namespace ptxfarm::telemetry {
namespace {

// Units that aren't base units; Prometheus's convention is seconds, bytes and ratios.
constexpr std::string_view kWrongUnits[] = {
    "_ms",        "_milliseconds", "_us",  "_microseconds", "_minutes", "_kb",
    "_kilobytes", "_mb",           "_mib", "_megabytes",    "_percent"};

bool IsName(std::string_view name) {
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

std::string ComplaintOfName(const MetricRow& row) {
  if (!IsName(row.name)) return "a name is lower case words joined by _";
  // "process_" is Prometheus's own word for what every process has.
  if (!row.name.starts_with("ptxfarm_") && !row.name.starts_with("process_"))
    return "a name begins with ptxfarm_<component>_";
  if (row.name.ends_with("_total") != (row.kind == MetricKind::kCounter))
    return "counters, and only they, end in _total";
  const std::string_view stem = std::string_view(row.name).substr(
      0, row.name.size() - (row.kind == MetricKind::kCounter ? 6 : 0));
  for (const std::string_view unit : kWrongUnits) {
    if (stem.ends_with(unit)) return "units are seconds, bytes and ratio";
  }
  return "";
}

}  // namespace

std::string Complaint(const MetricRow& row) {
  if (std::string complaint = ComplaintOfName(row); !complaint.empty()) return complaint;
  if (!row.help.ends_with('.')) return "help is a sentence with its period";
  if ((row.kind == MetricKind::kHistogram) == row.buckets.empty())
    return "histograms, and only they, have buckets";
  if (!std::is_sorted(row.buckets.begin(), row.buckets.end(), std::less_equal<>()))
    return "buckets ascend";
  for (const Label& label : row.labels) {
    if (!IsName(label.name) || label.name == "le") return "a label is a lower case word";
  }
  return "";
}

namespace {

std::string_view KindName(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter: return "counter";
    case MetricKind::kGauge: return "gauge";
    case MetricKind::kHistogram: return "histogram";
  }
  return "";
}

std::string Labels(const MetricRow& row) {
  std::string out;
  for (const Label& label : row.labels) {
    out += fmt::format("{}`{}`", out.empty() ? "" : "; ", label.name);
    for (const std::string& value : label.values)
      out += (&value == &label.values.front() ? ": " : ", ") + value;
  }
  return out;
}

}  // namespace

std::string MetricsMarkdown(std::span<const MetricRow> rows) {
  std::string table = "| name | kind | labels | meaning |\n|---|---|---|---|\n";
  for (const MetricRow& row : rows)
    table += fmt::format("| `{}` | {} | {} | {} |\n", row.name, KindName(row.kind), Labels(row),
                         row.help);
  return table;
}

}  // namespace ptxfarm::telemetry
