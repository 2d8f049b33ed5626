#include "action/option_line.h"

#include <algorithm>
#include <optional>

namespace ptxfarm::action {
namespace {

// All options by their short names in the order in which ptxas 13.0 writes them, found by giving it
// every pair.
constexpr std::string_view kOrder[] = {
    "suppress-stack-size-warning",
    "e",
    "v",
    "warn-lmem-usage",
    "warn-spills",
    "warn-double-usage",
    "no-bb-merge",
    "ret-end",
    "disable-optimizer-consts",
    "maxrregcount",
    "minnctapersm",
    "maxntid",
    "override-directive-values",
    "func-maxrregcount",
    "regUsageLevel",
    "g",
    "suppress-debug-info",
    "lineinfo",
    "sp-bounds-check",
    "device-stack-protector",
    "O",
    "Ofc",
    "o",
    "arch",
    "suppress-double-demote-warning",
    "dlcm",
    "dscm",
    "flcm",
    "fscm",
    "m",
    "Werror",
    "w",
    "c",
    "astoolspatch",
    "opt-fp-atomics",
    "preserve-relocs",
    "make-errors-visible-at-exit",
    "legacy-bar-warp-wide-behavior",
    "suppress-async-bulk-multicast-advisory-warning",
    "suppress-sparse-mma-advisory-info",
    "sanitize",
    "split-compile",
    "fmad",
    "allow-expensive-optimizations",
    "ewp",
    "pic",
    "g-tmem-access-check",
    "gno-tmem-access-check",
    "annotate",
};

std::optional<std::string> ValueOf(std::string_view short_name,
                                   std::span<const GivenOption> given) {
  std::optional<std::string> value;
  for (const GivenOption& option : given) {
    if (option.row->short_name != short_name) continue;
    if (value && short_name == "maxntid")
      *value += "," + option.value;
    else
      value = option.value;
  }
  return value;
}

}  // namespace

std::string OptionLine(std::string_view target, std::span<const GivenOption> given,
                       const RecordedNames& names) {
  const bool debug = ValueOf("g", given).has_value();
  std::string line;
  const auto add = [&line](std::string_view name, std::string_view value) {
    line.append("-").append(name).append(" ").append(value).append(" ");
  };
  if (debug) line.append(names.input).append(" ");
  for (const std::string_view name : kOrder) {
    if (name == "arch") {
      if (!target.empty()) add("arch", target);
    } else if (name == "o") {
      if (debug && !names.output.empty()) add("o", names.output);
    } else if (const std::optional<std::string> value = ValueOf(name, given)) {
      add(name, *value);
    }
  }
  return line;
}

}  // namespace ptxfarm::action
