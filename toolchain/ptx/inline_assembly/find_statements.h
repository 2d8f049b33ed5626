// Finds the asm statements of a CUDA C++ file.
#pragma once

#include "toolchain/ptx/inline_assembly/asm_statement.h"

namespace ptxfarm::ptx {

// Reads `asm`, `__asm`, `__asm__` with their qualifiers and parts, in functions and in the bodies
// of macros. Nothing is preprocessed but macros of this file that are strings and no more: they may
// stand for parts of templates and for constraints. What needs other macros is skipped, with the
// reason; so is what is plainly assembly of the host.
//
// A text whose first token is a string is what stands between the parentheses of one statement.
// Any bytes are taken. Linear in the text, up to 16 templates' worth of expanded macros.
AsmStatements FindAsmStatements(std::string_view source);

}  // namespace ptxfarm::ptx
