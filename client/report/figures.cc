#include "client/report/figures.h"

#include <algorithm>

#include <fmt/format.h>

namespace ptxfarm::client {

std::string FormatTime(std::chrono::microseconds time) {
  const i64 us = std::max<i64>(time.count(), 0);
  if (us < 10'000) return fmt::format("{:.2f} ms", static_cast<double>(us) / 1e3);
  if (us < 1'000'000) return fmt::format("{:.1f} ms", static_cast<double>(us) / 1e3);
  if (us < 60'000'000) return fmt::format("{:.2f} s", static_cast<double>(us) / 1e6);
  const i64 seconds = us / 1'000'000;
  if (seconds < 3600) return fmt::format("{} m {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} m", seconds / 3600, seconds / 60 % 60);
}

std::string FormatSize(u64 bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::string_view kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  // 1023.96 would be shown as "1024.0".
  while (value >= 1023.95 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string Plural(u64 count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace ptxfarm::client
