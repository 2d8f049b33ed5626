#include "base/text.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace ptxfarm {
namespace {

// Levenshtein's distance, a row of the matrix at a time.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Shortened(std::string_view text, std::size_t size_max) {
  std::string shown;
  for (const char c : text) {
    if (shown.size() >= size_max) return shown + "…";
    if (c >= 0x20 && c < 0x7f)
      shown.push_back(c);
    else
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return shown;
}

std::optional<std::string_view> Nearest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  // A longer word is no slip of the pen, and the distance costs its length times the candidate's.
  constexpr std::size_t kWordMax = 100;
  if (word.empty() || word.size() > kWordMax) return std::nullopt;
  std::optional<std::string_view> nearest;
  std::size_t nearest_distance = std::min<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < nearest_distance) {
      nearest = candidate;
      nearest_distance = distance;
    }
  }
  return nearest;
}

}  // namespace ptxfarm
