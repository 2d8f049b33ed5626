// Names that a template declares outside braces: they are of the whole function that it is pasted
// into, and clash where it is pasted twice.
#pragma once

#include <vector>

#include "toolchain/ptx/token.h"

namespace ptxfarm::ptx {

struct OpenName {
  Token token;
  bool is_label = false;  // Else a register.
};

// Those of the tokens from `begin` to `end` of the text. A brace that closes nothing ends the
// search.
std::vector<OpenName> FindOpenNames(const TokenBuffer& tokens, u32 begin, u32 end);

}  // namespace ptxfarm::ptx
