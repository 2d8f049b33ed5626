// Sizes and durations as people write them: "64MiB", "250ms".
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::config {

inline constexpr u64 kKiB = u64{1} << 10;
inline constexpr u64 kMiB = u64{1} << 20;
inline constexpr u64 kGiB = u64{1} << 30;
inline constexpr u64 kTiB = u64{1} << 40;

// A whole number in decimal digits and nothing else.
Result<u64> ParseCount(std::string_view text);

// A whole number and one of B, KB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, TiB (of 1024); a
// bare number is bytes. "64M" is refused, since it means either.
Result<u64> ParseBytes(std::string_view text);

// A whole number and one of ns, us, ms, s, m, h, d. A bare number is refused, except 0: seconds in
// one program are milliseconds in the next.
Result<std::chrono::nanoseconds> ParseDuration(std::string_view text);

// In the largest unit that divides it: "64MiB", "1500B". Reads back as the same number.
std::string FormatBytes(u64 bytes);
std::string FormatDuration(std::chrono::nanoseconds duration);

}  // namespace ptxfarm::config
