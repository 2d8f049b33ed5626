// The reference of all options in Markdown: docs/flags.md is printed from it.
#pragma once

#include <string>

#include "config/program.h"

namespace ptxfarm::config {

// A chapter of level `level` ("##") for the program, one below for each of its commands, with a
// table of the options that each adds: flag, environment, file, default, meaning.
std::string Markdown(const Program& program, int level);

}  // namespace ptxfarm::config
