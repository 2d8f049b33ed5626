#include "client/report/figures.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"

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

std::string ShortName(const std::string& name, std::size_t columns_max) {
  PTXFARM_CHECK(columns_max >= 3, "room for both ends and what stands between them");
  // A byte of printable ASCII takes a column; names with others are left alone rather than cut
  // within a character.
  const bool is_ascii = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
  if (name.size() <= columns_max || !is_ascii) return name;
  const std::size_t front = (columns_max - 1) / 3;
  const std::size_t back = columns_max - 1 - front;
  return name.substr(0, front) + "…" + name.substr(name.size() - back);
}

std::string Plural(u64 count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace ptxfarm::client
