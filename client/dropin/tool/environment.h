// Variables of the environment, and lists of folders in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptxfarm::dropin {

// Empty where it isn't set.
std::string Variable(const char* name);

// The parts between colons; a part may be empty.
std::vector<std::string> ColonParts(std::string_view list);

// The program that a shell would run for this name: of the absolute folders of $PATH, in their
// order. Empty where there is none.
std::string FindOnPath(const std::string& name);

bool IsProgram(const std::string& path);

}  // namespace ptxfarm::dropin
