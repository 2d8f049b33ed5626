// Runs the toolkit's ptxas over text, for tests that compare with it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ptxfarm::object::test {

struct PtxasRun {
  std::string cubin;
  std::string log;
};

// The cubin of `ptxas <options> k.ptx -o k.cubin` in a folder of its own: with -g both names are
// part of the bytes.
Result<PtxasRun> RunPtxasLogged(std::string_view ptx, std::string_view options);
Result<std::string> RunPtxas(std::string_view ptx, std::string_view options);

}  // namespace ptxfarm::object::test
