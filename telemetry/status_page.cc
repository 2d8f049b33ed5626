#include "telemetry/status_page.h"

#include <string_view>

#include <fmt/format.h>

namespace ptxfarm::telemetry {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8884; --good: #15803d; --bad: #b91c1c; }
@media (prefers-color-scheme: dark) { :root { --good: #4ade80; --bad: #f87171; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
tbody th { font-weight: normal; width: 16rem; }
.good { color: var(--good); } .bad { color: var(--bad); }
nav a { margin-right: 1rem; }
)";

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

// The first cell of a row names it.
std::string RowHtml(const std::vector<std::string>& cells) {
  std::string html = "<tr>";
  for (const std::string& cell : cells)
    html += &cell == &cells.front() ? fmt::format("<th scope=\"row\">{}</th>", Escaped(cell))
                                    : fmt::format("<td>{}</td>", Escaped(cell));
  return html + "</tr>\n";
}

std::string SectionHtml(const StatusSection& section) {
  std::string html = fmt::format("<section>\n<h2>{}</h2>\n", Escaped(section.title));
  if (section.rows.empty()) return html + "<p>None.</p>\n</section>\n";
  html += "<table>\n";
  if (!section.columns.empty()) {
    html += "<thead><tr>";
    for (const std::string& column : section.columns)
      html += fmt::format("<th scope=\"col\">{}</th>", Escaped(column));
    html += "</tr></thead>\n";
  }
  html += "<tbody>\n";
  for (const std::vector<std::string>& row : section.rows) html += RowHtml(row);
  return html + "</tbody>\n</table>\n</section>\n";
}

}  // namespace

std::string StatusHtml(const StatusPage& page) {
  const std::string title = Escaped(page.title);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n",
      title, kStyle, title);
  html += page.is_ready
              ? "<p class=\"good\">Ready.</p>\n"
              : fmt::format("<p class=\"bad\">Not ready: {}</p>\n", Escaped(page.not_ready_reason));
  html += fmt::format("<p>Version {}, up for {}.</p>\n<nav>", Escaped(page.version),
                      FormatUptime(page.uptime));
  for (const auto& [path, text] : page.links)
    html += fmt::format("<a href=\"{}\">{}</a>", Escaped(path), Escaped(text));
  html += "</nav>\n</header>\n<main>\n";
  for (const StatusSection& section : page.sections) html += SectionHtml(section);
  return html + "</main>\n</body>\n</html>\n";
}

std::string FormatUptime(std::chrono::seconds uptime) {
  const auto seconds = uptime.count();
  const auto minutes = seconds / 60, hours = minutes / 60, days = hours / 24;
  if (days > 0) return fmt::format("{}d {}h", days, hours % 24);
  if (hours > 0) return fmt::format("{}h {}m", hours, minutes % 60);
  if (minutes > 0) return fmt::format("{}m {}s", minutes, seconds % 60);
  return fmt::format("{}s", seconds);
}

}  // namespace ptxfarm::telemetry
