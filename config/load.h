// The one order of precedence: flag, environment, config file, default.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/command_line.h"
#include "config/config_file.h"
#include "config/environment.h"

namespace ptxfarm::config {

// Where a value came from, for messages and for `--print config`.
struct Setting {
  const Option* option;
  std::string source;  // "--lease", "PTXFARM_LEASE", "/etc/ptxfarm/config.toml:12" or "default".
  std::vector<std::string> texts;
};

// Sets the fields of all groups' rows, each from the first source that speaks of it; `file` may be
// null.
//
// INVALID_ARGUMENT names the source, what is wrong and what is allowed:
// "PTXFARM_LEASE: '10' has no unit of ns, us, ms, s, m, h, d; allowed: a duration (10s, 250ms) from
// 1s to 1h".
Result<std::vector<Setting>> Load(std::span<const OptionGroup* const> groups,
                                  const FlagTexts& flags, const Environment& environment,
                                  const ConfigFile* file);

// For programs whose command line isn't ours (the drop-ins): finds and reads the config file of
// $PTXFARM_CONFIG or the usual places, then loads all options of the program itself.
Status LoadWithoutFlags(const Program& program, const Environment& environment);

}  // namespace ptxfarm::config
