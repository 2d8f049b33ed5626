// Variables of the environment, and lists of folders in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptxfarm::dropin {

// Empty where it isn't set.
std::string Variable(const char* name);

// Whether one is set of those that libnvvm and the assembler within it read, for who debugs them:
// they change what is made, are in no key, and nobody's in a build.
bool HasNvvmVariables();

// The parts between colons; a part may be empty.
std::vector<std::string> ColonParts(std::string_view list);

// The program that a shell would run for this name: of the absolute folders of $PATH, in their
// order. Empty where there is none.
std::string FindOnPath(const std::string& name);

bool IsProgram(const std::string& path);

}  // namespace ptxfarm::dropin
