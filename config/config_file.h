// The config file: TOML, a table a program, a key an option.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/environment.h"
#include "config/program.h"

namespace ptxfarm::config {

struct FileEntry {
  std::vector<std::string> texts;  // One; of an array, one an element.
  u32 line = 0;
};

struct ConfigFile {
  std::string path;
  // By table ("" is the top level) and key; only what the program's rows know.
  std::map<std::string, std::map<std::string, FileEntry>> tables;
};

// The file to read: the one named by --config, else by $PTXFARM_CONFIG, else the first that exists
// of $XDG_CONFIG_HOME/ptxfarm/config.toml (or ~/.config/ptxfarm/config.toml) and
// /etc/ptxfarm/config.toml. One file wins whole; files aren't merged. Nothing where there is none.
// A named one must exist, which ReadConfigFile finds out.
std::optional<std::string> FindConfigFile(const std::string& named, const Environment& environment);

// Every place that FindConfigFile looks at, for messages and man pages.
std::vector<KnownFile> ConfigFilePlaces();

// Reads and checks a file against all rows of the program: a key that no row has, or a value that
// is no text, number, boolean or list of these, is INVALID_ARGUMENT with path and line. Keys of the
// tables of other programs aren't looked at.
Result<ConfigFile> ReadConfigFile(const std::string& path, const Program& program);

}  // namespace ptxfarm::config
