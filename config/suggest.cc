#include "config/suggest.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace ptxfarm::config {
namespace {

constexpr std::size_t kWordBytesMax = 64;

// Damerau and Levenshtein's distance in its restricted form: no edit inside of a swapped pair.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_above(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string DidYouMean(std::string_view written, std::span<const std::string> names) {
  if (written.size() > kWordBytesMax) return "";
  const std::string* nearest = nullptr;
  std::size_t nearest_distance = std::max<std::size_t>(1, written.size() / 3) + 1;
  for (const std::string& name : names) {
    if (name.size() > kWordBytesMax) continue;
    const std::size_t distance = Distance(written, name);
    if (distance >= nearest_distance) continue;
    nearest = &name;
    nearest_distance = distance;
  }
  return nearest == nullptr ? "" : fmt::format("; did you mean '{}'?", *nearest);
}

}  // namespace ptxfarm::config
