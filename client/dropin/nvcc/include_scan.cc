#include "client/dropin/nvcc/include_scan.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "base/int.h"

namespace ptxfarm::dropin {
namespace {

// The name in `12 "name" 1`, unescaped; empty where this is no line marker.
std::string NameIn(std::string_view marker) {
  const std::size_t digits = marker.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || !marker.substr(digits).starts_with(" \""))
    return {};
  std::string name;
  for (std::size_t i = digits + 2; i < marker.size() && marker[i] != '"'; ++i) {
    if (marker[i] == '\\' && i + 1 < marker.size()) ++i;
    name += marker[i];
  }
  return name;
}

}  // namespace

std::vector<std::string> FilesOfPreprocessed(std::string_view text) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  std::string_view last;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size();
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.size() < 5 || line[0] != '#') continue;
    line.remove_prefix(1);
    if (line.starts_with("line ")) line.remove_prefix(4);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    // Most markers come back to the file that was there before.
    const std::size_t quote = line.find('"');
    if (quote == std::string_view::npos || line.substr(quote) == last) continue;
    last = line.substr(quote);
    std::string name = NameIn(line);
    if (name.empty() || name[0] == '<' || name.ends_with('/')) continue;
    if (seen.insert(name).second) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace ptxfarm::dropin
