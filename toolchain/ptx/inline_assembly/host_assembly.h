// Tells assembly of the host from PTX: one file of C++ may hold both.
#pragma once

#include "toolchain/ptx/inline_assembly/asm_statement.h"

namespace ptxfarm::ptx {

// True where nothing of the template is an instruction of PTX and something in the lists is of the
// host: a constraint such as "=a" or "m", a clobber such as "rax" or "cc". So is a lone word such
// as "pause".
bool IsHostAssembly(const AsmStatement& statement);

}  // namespace ptxfarm::ptx
