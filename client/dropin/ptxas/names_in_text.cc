#include "client/dropin/ptxas/names_in_text.h"

namespace ptxfarm::dropin {

std::optional<std::string> WithoutName(std::string_view text, std::string_view name) {
  if (text.find(kNamePlace) != std::string_view::npos) return std::nullopt;
  std::string result;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name)) {
    result += text.substr(0, at);
    result += kNamePlace;
    text.remove_prefix(at + name.size());
  }
  result += text;
  return result;
}

std::string WithName(std::string_view text, std::string_view name) {
  std::string result;
  for (const char c : text) {
    if (c == kNamePlace)
      result += name;
    else
      result += c;
  }
  return result;
}

}  // namespace ptxfarm::dropin
