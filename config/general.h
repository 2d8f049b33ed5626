// The options that every program has, as rows like all others: --help, --version, --config,
// --print.
#pragma once

#include <string>

#include "config/program.h"

namespace ptxfarm::config {

// What --print prints instead of running.
enum class Print : u8 { kNothing, kConfig, kMan, kMarkdown, kBash, kZsh, kFish };

struct GeneralOptions {
  bool help = false;
  bool version = false;
  std::string config;
  Print print = Print::kNothing;
};

OptionGroup GeneralGroup(GeneralOptions& options);

// The program with that group behind its own groups.
Program WithGeneralOptions(Program program, GeneralOptions& options);

}  // namespace ptxfarm::config
