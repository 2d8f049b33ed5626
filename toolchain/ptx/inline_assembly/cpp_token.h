// Tokens of CUDA C++, as far as finding asm statements needs them: what is code, what is a string,
// a comment or a preprocessor's line.
#pragma once

#include <string_view>
#include <vector>

#include "base/int.h"

namespace ptxfarm::ptx {

enum class CppTokenKind : u8 {
  kName,
  kNumber,
  kString,        // With prefix, quotes and suffix; a raw string too.
  kCharacter,     // 'a'
  kPunctuator,    // One character.
  kDefine,        // "#define"; the macro's tokens follow, to a kDirectiveEnd.
  kDirective,     // Any other line of the preprocessor, whole.
  kDirectiveEnd,  // The end of the line of a #define; empty.
  kEnd,
};

struct CppToken {
  CppTokenKind kind = CppTokenKind::kEnd;
  u32 begin = 0;
  u32 end = 0;

  bool Is(CppTokenKind other) const { return kind == other; }
};

// Every token of the text, the last one kEnd. Comments are blanks, and so is a backslash at the end
// of a line. Any bytes are taken: what ends nowhere ends with its line, or with the text. Linear.
std::vector<CppToken> LexCpp(std::string_view text);

}  // namespace ptxfarm::ptx
