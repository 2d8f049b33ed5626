// How programs of ours that stand under a compiler's name are told from the compiler itself.
//
// Whoever looks for the real tool (the drop-in, a worker) may find the drop-in instead: on the
// PATH, as a link or as a copy. A copy has another inode and another path, so only its bytes tell.
#pragma once

#include <string_view>

#include "base/int.h"

namespace ptxfarm {

// Every drop-in holds these bytes.
inline constexpr std::string_view kDropInMark = "ptxfarm-drop-in: not the compiler itself\n";

// Larger files aren't ours, and needn't be searched.
inline constexpr u64 kDropInBytesMax = 64 << 20;

inline bool HasDropInMark(std::string_view program) {
  return program.size() <= kDropInBytesMax && program.find(kDropInMark) != std::string_view::npos;
}

}  // namespace ptxfarm
