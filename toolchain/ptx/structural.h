// The structural form: the module without what names registers and labels and what nobody uses. It
// is keyed and compiled in place of the user's text where a request asks for it.
//
// What is done is what ptxas's executable cubins don't show, as tests prove over sample modules and
// their renamings (relocatable objects have the lines of variables in their names): registers and
// labels get names by the order of their use, registers are declared once a block in one order,
// unused ones and unused `.extern .func` not at all. The order of other declarations stays: that of
// variables and functions is the order of symbols in the cubin.
#pragma once

#include <optional>
#include <string>

#include "toolchain/ptx/ast.h"

namespace ptxfarm::ptx {

// The text of a right module in this form, line by line the user's. Nothing where the cubin may
// tell names or lines (debug information), or where a name that stays is one that would be given.
std::optional<std::string> StructuralText(const Module& module);

}  // namespace ptxfarm::ptx
