// The page for people at "/": HTML and CSS alone, no script; follows the reader's choice of light
// or dark.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace ptxfarm::telemetry {

// "Queue", with its rows of {name, value}; or a table, where `columns` are given: then every row
// has as many cells.
struct StatusSection {
  std::string title;
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};
};

struct StatusPage {
  std::string title;    // "ptxfarm-server"
  std::string version;  // "0.1.0"
  std::chrono::seconds uptime{0};
  bool is_ready = true;
  std::string not_ready_reason;
  std::vector<StatusSection> sections;
  std::vector<std::pair<std::string, std::string>> links;  // {path, text}
};

// All texts are escaped: they may hold what users sent.
std::string StatusHtml(const StatusPage& page);

// "2d 3h", "5m 7s"
std::string FormatUptime(std::chrono::seconds uptime);

}  // namespace ptxfarm::telemetry
