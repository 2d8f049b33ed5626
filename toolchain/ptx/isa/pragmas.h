// The strings of .pragma that compilers know: a row each, which verifier and documents read.
#pragma once

#include <span>
#include <string_view>

#include "toolchain/ptx/isa/directives.h"

namespace ptxfarm::ptx {

enum class PragmaArgument : u8 { kNone, k32Bits, k64Bits };

struct PragmaDesc {
  std::string_view word;
  std::string_view syntax;
  u8 places;
  Gate gate;
  PragmaArgument argument;
  std::string_view section;
  bool whole_program_only = false;  // Refused where a relocatable object is made.
};

std::span<const PragmaDesc> AllPragmas();

// The row of a string's first word, or null: compilers ignore what they don't know.
const PragmaDesc* FindPragma(std::string_view word);

}  // namespace ptxfarm::ptx
