// What the three completion scripts have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/program.h"

namespace ptxfarm::config {

// In single quotes, as bash and zsh read them: 'it'\''s'.
std::string ShellQuoted(std::string_view text);

// "_ptxfarm_fatbin_list": the function that completes a command.
std::string FunctionName(const CommandPath& path);

// "--output", "-o"; and of flags that have it "--no-x".
std::vector<std::string> FlagsOf(const Option& option);

// All flags of the program whose next word is their value: that word is no command.
std::vector<std::string> ValueFlagsOf(const Program& program);

// The first sentence of the help: a completion has one line.
std::string ShortHelp(const Option& option);

// Whether the shell should offer paths for it.
bool TakesPath(const Value& value);
// Whether any argument of the command is a path.
bool ArgumentsArePaths(const Command& command);

}  // namespace ptxfarm::config
