// Scripts that stand on the PATH for a tool elsewhere, as packagers and clusters put them there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/int.h"

namespace ptxfarm {

// Longer ones do more than that.
inline constexpr u64 kWrapperBytesMax = 4096;

// The absolute path that the script executes with its own words, where it does nothing else:
//
//   #!/bin/sh
//   exec /opt/cuda-13.0/bin/ptxas "$@"
//
// Then the script and that program are one and the same to a caller. Nothing for any other text:
// what depends on a variable, adds a word or changes the environment isn't that program.
std::optional<std::string> ExecutedByScript(std::string_view script);

}  // namespace ptxfarm
