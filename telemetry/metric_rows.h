// The rules that rows of metrics keep, and their reference in Markdown.
#pragma once

#include <span>
#include <string>

#include "telemetry/metrics.h"

namespace ptxfarm::telemetry {

// What is wrong with the row, or nothing: docs/style.md has the rules of names.
std::string Complaint(const MetricRow& row);

// The rows as a table {name, kind, labels, meaning}: docs/metrics.md is printed from it, a table a
// component.
std::string MetricsMarkdown(std::span<const MetricRow> rows);

}  // namespace ptxfarm::telemetry
