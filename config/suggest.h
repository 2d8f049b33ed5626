// "Did you mean": the known name nearest to what was written.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ptxfarm::config {

// "; did you mean 'lease'?", or nothing where no name is near: within a third of the length in
// insertions, deletions, replacements and swaps of neighbours. Words over 64 bytes get no answer:
// the distance costs their product.
std::string DidYouMean(std::string_view written, std::span<const std::string> names);

}  // namespace ptxfarm::config
