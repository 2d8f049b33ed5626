// Rewrites what a cubin says of the tool that made it, and lays the file out again as ptxas would
// have.
//
// ptxas stores its option line, in a normal form of its own, in the cubin. The farm always asks for
// the verbose log (-v), but hands out the bytes of a call without it: those differ in that text,
// and so in the place of all that follows it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ptxfarm::object::cubin {

// The cubin with `options` as its option text, byte for byte as ptxas writes it for those options.
//
// Only the text and the layout change: the options given must be ones that don't change the code.
// Works for what ptxas of CUDA 13 writes; UNIMPLEMENTED for files that it can't lay out exactly (of
// other tools or versions, or without the note): then the caller has to run ptxas again with the
// options wanted.
Result<std::string> WithToolOptions(std::string_view cubin, std::string_view options);

// An option text without the flag `flag` ("-v"): ptxas's normal form has two blanks after a flag
// that takes no value.
std::string WithoutFlag(std::string_view options, std::string_view flag);

// Both: the cubin as it were, had ptxas been called without `flag`.
Result<std::string> WithoutToolFlag(std::string_view cubin, std::string_view flag);

}  // namespace ptxfarm::object::cubin
