#include "toolchain/ptx/source.h"

#include <algorithm>

#include "base/text.h"

namespace ptxfarm::ptx {

Place Source::PlaceAt(u32 offset) const {
  const std::string_view before = text.substr(0, offset);
  const auto line_ends = std::count(before.begin(), before.end(), '\n');
  std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0.
  if (line_start == 0 && before.starts_with(kByteOrderMark)) line_start = kByteOrderMark.size();
  return {.line = static_cast<u32>(line_ends) + 1,
          .column = static_cast<u32>(before.size() - line_start) + 1};
}

std::string Source::Beginning(u32 offset) const {
  constexpr std::size_t kShown = 40;
  const std::string_view rest = text.substr(offset, kShown + 1);
  if (rest.find_first_not_of('\0') == rest.npos) return "the end of the text";
  return Shortened(rest.substr(0, rest.find('\n')), kShown);
}

std::string_view Source::Line(u32 line) const {
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  for (u32 at = 1; at < line; ++at) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  std::string_view found = rest.substr(0, rest.find('\n'));
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

}  // namespace ptxfarm::ptx
