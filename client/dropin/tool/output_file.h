// What a drop-in gives to its caller: files under the names asked, words on the two streams.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ptxfarm::dropin {

// Writes the object beside `path` and renames, so that a reader sees the old file or the whole new
// one whenever we are killed. A link is followed, a device or a pipe written as it is; a file in a
// folder that can't be written is written in place, as ptxas would. The mode of a file that is
// there stays; one that mayn't be written is PERMISSION_DENIED, as it is to ptxas.
Status PlaceObject(const std::string& path, std::string_view object);

// All of it, whatever the other end does.
void PrintTo(int descriptor, std::string_view text);

}  // namespace ptxfarm::dropin
