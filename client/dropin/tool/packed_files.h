// Several files as the one object of a record.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxfarm::dropin {

using Files = std::vector<std::optional<std::string>>;

// A file that isn't there stays so.
std::string PackFiles(const Files& files);

// Nothing where these aren't packed files, to the last byte.
std::optional<Files> UnpackFiles(std::string_view bytes);

}  // namespace ptxfarm::dropin
