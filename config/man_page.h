// Man pages in man(7) roff, one a command.
#pragma once

#include <string>

#include "config/program.h"

namespace ptxfarm::config {

// "ptxfarm-compile.1"
std::string ManPageFileName(const CommandPath& path);

// NAME, SYNOPSIS, DESCRIPTION, COMMANDS, OPTIONS, ENVIRONMENT, FILES, EXIT STATUS, EXAMPLES, SEE
// ALSO; those that have something to say. The same rows give the same bytes: there is no date in
// it.
std::string ManPage(const Program& program, const CommandPath& path);

}  // namespace ptxfarm::config
