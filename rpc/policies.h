// What holds for each RPC, a row each: how long a caller waits, and whether it may ask again.
#pragma once

#include <chrono>
#include <span>
#include <string_view>

#include "base/int.h"

namespace ptxfarm::rpc {

struct Policy {
  std::string_view method;  // "CompileService/Compile", as the last parts of the HTTP/2 path.
  std::chrono::milliseconds deadline;  // Where the caller names none; zero: none.
  u32 attempts_max;                    // With a growing delay, on UNAVAILABLE only.
  std::string_view role;               // What a token must allow.
};

std::span<const Policy> Policies();
const Policy& PolicyOf(std::string_view method);

// Of one message, both ways: an inline source or output, some chunks of 1 MiB, and frames.
inline constexpr int kMessageBytesMax = 64 << 20;
// A source, and a lease's input, up to this size rides in its message; larger ones go as blobs.
inline constexpr u64 kInlineSourceBytesMax = 4 << 20;
inline constexpr u64 kLeaseInlineBytesMax = 256 << 10;
inline constexpr u64 kLeaseOutputInlineBytesMax = 4 << 20;

}  // namespace ptxfarm::rpc
