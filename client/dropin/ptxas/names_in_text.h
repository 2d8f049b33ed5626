// The input's name in what ptxas prints: taken out of a result that is kept, put in for each call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ptxfarm::dropin {

// Where the name stood. ptxas prints no control characters of its own.
inline constexpr char kNamePlace = '\x01';

// `name` is one that stands for the input only ("../in.7f3/k.ptx"). Nothing where the text can't be
// kept: it holds the mark already.
std::optional<std::string> WithoutName(std::string_view text, std::string_view name);

std::string WithName(std::string_view text, std::string_view name);

}  // namespace ptxfarm::dropin
