// Module → text, laid out as people read it.
#pragma once

#include <string>

#include "toolchain/ptx/ast.h"

namespace ptxfarm::ptx {

struct PrintOptions {
  // Comments stand in front of the statement that they are in or before, or behind the one that
  // ends on their line. Else they are left out, and so are line markers in any case.
  bool keeps_comments = false;
};

// One statement a line, indented by blocks; tokens are spelled as they were. What is printed parses
// to the same module: Parse(Print(m)) == m, node by node.
std::string Print(const Module& module, const PrintOptions& options = {});

}  // namespace ptxfarm::ptx
