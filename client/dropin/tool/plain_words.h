// Words of an options file, or of a variable that holds options.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxfarm::dropin {

// The words between blanks. Nothing where there is more than plain words (quotes, backslashes, '#',
// a NUL): each tool reads those in a way of its own.
std::optional<std::vector<std::string>> PlainWords(std::string_view text);

}  // namespace ptxfarm::dropin
