// Shell completion: commands, options, choices and files, in scripts that stand alone.
#pragma once

#include <string>

#include "config/program.h"

namespace ptxfarm::config {

// To be sourced, or installed as share/bash-completion/completions/PROGRAM.
std::string BashCompletion(const Program& program);
// To be installed as _PROGRAM in a folder of $fpath.
std::string ZshCompletion(const Program& program);
// To be installed as share/fish/vendor_completions.d/PROGRAM.fish.
std::string FishCompletion(const Program& program);

}  // namespace ptxfarm::config
