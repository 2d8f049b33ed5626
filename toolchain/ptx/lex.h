// The first phase: text → TokenBuffer.
#pragma once

#include "base/result.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::ptx {

// Cuts PTX text into tokens, in one pass and linear time, copying nothing.
//
//   source   the text, of any bytes; must outlive the buffer
//   returns  the tokens, or what is no PTX in it: every error up to a bound, in order of place, or
//            the one that says what the input is instead (an ELF file, a fatbin, nothing at all)
//
// Where the manual is silent the rules are those of ptxas 13.0, measured: 0x1A is a blank, vertical
// tab is not; a string has no escapes; "7%3" is 7 and %3. Other than it, a byte order mark at the
// start, NULs at the very end and any bytes in comments are accepted.
Result<TokenBuffer, Diagnostics> Lex(const Source& source);

}  // namespace ptxfarm::ptx
