#include "client/dropin/tool/plain_words.h"

#include <algorithm>

namespace ptxfarm::dropin {

std::optional<std::vector<std::string>> PlainWords(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  constexpr std::string_view kNotPlain("\"'\\#\0", 5);
  if (text.find_first_of(kNotPlain) != std::string_view::npos) return std::nullopt;
  std::vector<std::string> words;
  for (std::size_t from = text.find_first_not_of(kBlanks); from != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, from), text.size());
    words.emplace_back(text.substr(from, end - from));
    from = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

}  // namespace ptxfarm::dropin
