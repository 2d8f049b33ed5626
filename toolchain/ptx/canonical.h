// The lexical canonical form: the text that is compiled and keyed in place of the user's.
//
// What is compiled is the canonical text itself. So equal keys give equal bytes, trivially; what
// the tests prove is that the cubin of the canonical text equals that of the user's.
#pragma once

#include <string>
#include <vector>

#include "toolchain/ptx/header.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::ptx {

// A text for the compiler, with the way back to the user's lines.
struct CompilerText {
  std::string text;
  // For each line of `text` the offset in the user's text of what it begins with; empty where the
  // two have the same lines.
  std::vector<u32> line_offsets;

  // The place in the user's text of what a compiler says of line `line` of `text`: that of the
  // first token of the line. A line past the end is the last one.
  Place PlaceOf(const Source& source, u32 line) const;
};

// Whether the text's lines are part of the cubin, so that only ExactText may be compiled. They are
// also where -g or -lineinfo is asked for, which the caller knows.
bool TextLinesMatter(const ModuleHeader& header);

// One statement a line, one blank where two tokens would merge, no other blanks, no comments, no
// line markers. Tokens are spelled as they were. Two texts have the same canonical form exactly if
// they have the same tokens, line markers aside; the canonical form of a canonical text is itself.
CompilerText Canonicalize(const TokenBuffer& tokens);

// The user's text line by line, without what ptxas 13.0 refuses and no compiler needs: a byte order
// mark at the start, NULs at the end; bytes above 127 in comments are blanks.
CompilerText ExactText(const TokenBuffer& tokens);

}  // namespace ptxfarm::ptx
