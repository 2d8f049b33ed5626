// Which paths the HTTP cache answers, and under which names it keeps what clients claim.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"

namespace ptxfarm::http_cache {

// Beyond, a path is none of ours.
inline constexpr std::size_t kPathBytesMax = 1024;

// "[/any/prefix]/cas/<64 hexadecimal digits in lower case>": the hash; nothing for other paths.
std::optional<Sha256> BlobOfPath(std::string_view path);

// "[/any/prefix]/ac/<64 hexadecimal digits in lower case>"
bool IsClaimPath(std::string_view path);

// Below which clients may use any names: ccache's layouts `flat` and `subdirs`.
inline constexpr std::string_view kFilesPath = "/ccache/";

// The key of a claim in the action cache: of the tenant, so that nobody is served what another
// tenant claims; of the whole path, so that prefixes are worlds of their own. It can be no key of
// an action of the farm, as those hash other fields (action/action.cc).
Sha256 ClaimKey(std::string_view tenant, std::string_view path);

}  // namespace ptxfarm::http_cache
