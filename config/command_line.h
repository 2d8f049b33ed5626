// Splits a command line by the rows. The texts aren't judged here: load.h does that for all sources
// alike.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "config/program.h"

namespace ptxfarm::config {

// What the flags gave, by option name, in the order given.
using FlagTexts = std::map<std::string, std::vector<std::string>>;

struct CommandLine {
  CommandPath path;
  FlagTexts flags;
  std::vector<std::string> arguments;
};

// Words that are wrong, in the line's order; the path is as far as it was understood.
struct UsageError {
  CommandPath path;
  std::string message;
};

// `words` is argv without the program's name. Flags may stand before and after commands, "--x=text"
// and
// "--x text" are one, "--" ends the flags, "-" is an argument.
Result<CommandLine, UsageError> SplitCommandLine(const Program& program,
                                                 std::span<const std::string> words);

// "a,b" as the elements of a list option.
std::vector<std::string> SplitList(std::string_view text);

}  // namespace ptxfarm::config
