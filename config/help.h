// What --help prints.
#pragma once

#include <string>

#include "config/program.h"

namespace ptxfarm::config {

// Usage, description, arguments, commands, options by group, examples; no line over `width`
// columns.
std::string Help(const CommandPath& path, std::size_t width);

// The columns of the terminal on standard output, $COLUMNS, or 80; between 40 and 120, since longer
// lines read badly.
std::size_t HelpWidth();

}  // namespace ptxfarm::config
