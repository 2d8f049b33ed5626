// Digests of files that are read again and again: programs, libraries, archives.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "client/dropin/tier/local_tier.h"

namespace ptxfarm::dropin {

// Of the bytes of one regular file. A large one is read once, and then known by its stamp. Nothing
// where it can't be read, or changes meanwhile.
std::optional<Digest> DigestOfFile(const std::string& path, const LocalTier* tier);

// One digest over many files in their order, known by all their stamps; `what` names the set. A
// file that isn't there is part of the answer, too.
std::optional<Sha256> DigestOfFiles(std::string_view what, const std::vector<std::string>& paths,
                                    const LocalTier* tier);

}  // namespace ptxfarm::dropin
