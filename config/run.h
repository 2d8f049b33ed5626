// `main` of a program that is described by rows.
#pragma once

#include <span>
#include <string>

#include "config/environment.h"
#include "config/program.h"

namespace ptxfarm::config {

// Reads the command line, the environment and the config file into the fields that the rows are
// bound to, and runs the command; returns the exit status. --help, --version and --print answer on
// standard output. What is wrong is said on standard error, in two lines, with exit status
// kExitUsage.
int Run(Program program, std::span<const std::string> words, const Environment& environment);

// As `int main` calls it.
int Run(Program program, int argc, const char* const* argv);

}  // namespace ptxfarm::config
