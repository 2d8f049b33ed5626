// Bounds on what callers can make the server hold.
#pragma once

#include "base/limits.h"

namespace ptxfarm::server {

// clang-format off
inline constexpr Limit kTargetsMax         {"targets_max",          64,        "of one request; there are fewer GPUs"};
inline constexpr Limit kOptionsMax         {"options_max",          256,       "words of one request"};
inline constexpr Limit kOptionBytesMax     {"option_bytes_max",     64 << 10,  "all options of a request together"};
inline constexpr Limit kIdentifierBytesMax {"identifier_bytes_max", 4 << 10,   "of a fat binary's members: a file name"};
inline constexpr Limit kInlineOutputsMax   {"inline_outputs_max",   16 << 20,  "bytes of outputs that ride in the responses"};
inline constexpr Limit kDigestsMax         {"digests_max",          10'000,    "of one FindMissingBlobs"};
inline constexpr Limit kEntriesShownMax    {"entries_shown_max",    1'000,     "entries of a module that ModuleInfo lists"};
inline constexpr Limit kModulesKeptMax     {"modules_kept_max",     10'000,    "modules whose facts are kept in memory"};
inline constexpr Limit kAnswerBytesMax     {"answer_bytes_max",     1 << 20,   "of a look-up's answer that is kept to be sent again"};
inline constexpr Limit kAnswersBytesMax    {"answers_bytes_max",    64 << 20,  "of all answers kept to be sent again"};
// clang-format on

}  // namespace ptxfarm::server
