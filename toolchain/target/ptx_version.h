// Versions of the PTX language, as a module's .version directive names them.
#pragma once

#include <compare>
#include <span>
#include <string>

#include <fmt/format.h>

#include "base/int.h"

namespace ptxfarm {

struct PtxVersion {
  u16 major = 0;
  u16 minor = 0;

  std::string ToString() const;

  friend auto operator<=>(const PtxVersion&, const PtxVersion&) = default;
};

// Every version that was published, in ascending order. A version that is missing here is either
// newer than this table or was never published (7.9).
std::span<const PtxVersion> PublishedPtxVersions();
bool IsPublished(PtxVersion version);

}  // namespace ptxfarm

template <>
struct fmt::formatter<ptxfarm::PtxVersion> : fmt::formatter<std::string> {
  template <typename FormatContext>
  auto format(const ptxfarm::PtxVersion& version, FormatContext& context) const {
    return fmt::formatter<std::string>::format(version.ToString(), context);
  }
};
