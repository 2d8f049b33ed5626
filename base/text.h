// Words of a user inside messages: shown short and printable, with what was probably meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ptxfarm {

// The text with control and non-ASCII bytes as \xNN, cut with "…" beyond `size_max` characters.
std::string Shortened(std::string_view text, std::size_t size_max = 60);

// The candidate that `word` most likely meant: at most two edits away, and at most a third of its
// length. Nothing where none is near.
std::optional<std::string_view> Nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);

}  // namespace ptxfarm
