// The variables that PTX declares, as far as their sizes in memory go.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/int.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::worker {

struct Variable {
  std::string_view name;
  u64 bytes = 0;
  Place place;
};

// Those of a state space (".shared") that are declared between two tokens of a buffer, in blocks
// too; the largest first. One whose size the text doesn't say in figures is left out.
std::vector<Variable> VariablesOf(const ptx::TokenBuffer& buffer, std::string_view space,
                                  std::size_t begin, std::size_t end);

}  // namespace ptxfarm::worker
