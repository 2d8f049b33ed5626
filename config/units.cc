#include "config/units.h"

#include <charconv>
#include <limits>
#include <span>

namespace ptxfarm::config {
namespace {

struct Unit {
  std::string_view name;
  u64 factor;
};

// The last that divides a number names it, so powers of 1024 stand last.
// clang-format off
constexpr Unit kSizeUnits[] = {
    {"B",  1},
    {"KB", 1'000},             {"MB",  1'000'000},  {"GB",  1'000'000'000},  {"TB",  1'000'000'000'000},
    {"KiB", kKiB},             {"MiB", kMiB},       {"GiB", kGiB},           {"TiB", kTiB},
};
constexpr Unit kDurationUnits[] = {
    {"ns", 1},                 {"us", 1'000},               {"ms", 1'000'000},  {"s", 1'000'000'000},
    {"m",  60'000'000'000},    {"h",  3'600'000'000'000},   {"d",  86'400'000'000'000},
};
// clang-format on

struct Quantity {
  u64 number;
  std::string_view unit;
};

Result<Quantity> Split(std::string_view text) {
  Quantity quantity{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (error == std::errc::result_out_of_range)
    return MakeError(Code::kInvalidArgument, "'{}' is too large", text);
  if (error != std::errc())
    return MakeError(Code::kInvalidArgument, "'{}' doesn't begin with a whole number", text);
  quantity.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (!quantity.unit.empty() && quantity.unit.front() == ' ') quantity.unit.remove_prefix(1);
  return quantity;
}

Result<u64> Scale(std::string_view text, const Quantity& quantity, std::span<const Unit> units,
                  u64 max) {
  for (const Unit& unit : units) {
    if (unit.name != quantity.unit) continue;
    if (quantity.number > max / unit.factor)
      return MakeError(Code::kInvalidArgument, "'{}' is too large", text);
    return quantity.number * unit.factor;
  }
  std::string names;
  for (const Unit& unit : units) names += (names.empty() ? "" : ", ") + std::string(unit.name);
  return MakeError(Code::kInvalidArgument, "'{}' has no unit of {}", text, names);
}

std::string InLargestUnit(u64 number, std::span<const Unit> units, std::string_view zero) {
  if (number == 0) return std::string(zero);
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (number % unit.factor == 0) best = &unit;
  }
  return fmt::format("{}{}", number / best->factor, best->name);
}

}  // namespace

Result<u64> ParseCount(std::string_view text) {
  PTXFARM_ASSIGN_OR_RETURN(const Quantity quantity, Split(text));
  if (!quantity.unit.empty() || text.back() == ' ')
    return MakeError(Code::kInvalidArgument, "'{}' isn't a whole number", text);
  return quantity.number;
}

Result<u64> ParseBytes(std::string_view text) {
  PTXFARM_ASSIGN_OR_RETURN(Quantity quantity, Split(text));
  if (quantity.unit.empty()) quantity.unit = "B";
  return Scale(text, quantity, kSizeUnits, std::numeric_limits<u64>::max());
}

Result<std::chrono::nanoseconds> ParseDuration(std::string_view text) {
  PTXFARM_ASSIGN_OR_RETURN(Quantity quantity, Split(text));
  if (quantity.unit.empty() && quantity.number == 0) quantity.unit = "s";
  constexpr u64 kMax = static_cast<u64>(std::numeric_limits<i64>::max());
  PTXFARM_ASSIGN_OR_RETURN(const u64 count, Scale(text, quantity, kDurationUnits, kMax));
  return std::chrono::nanoseconds(static_cast<i64>(count));
}

std::string FormatBytes(u64 bytes) { return InLargestUnit(bytes, kSizeUnits, "0"); }

std::string FormatDuration(std::chrono::nanoseconds duration) {
  if (duration.count() < 0) return "-" + FormatDuration(-duration);
  return InLargestUnit(static_cast<u64>(duration.count()), kDurationUnits, "0s");
}

}  // namespace ptxfarm::config
