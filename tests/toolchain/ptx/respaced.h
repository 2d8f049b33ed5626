// The same tokens with other blanks, line ends and comments between them.
#pragma once

#include <random>
#include <string>

#include "toolchain/ptx/token.h"

namespace ptxfarm::test {

enum class Split : u8 {
  kAnywhere,
  kNotInNames,  // ptxas takes "ld .global" but not "mbarrier .init": it has some names as a whole.
};

// Reproducible: the same seed gives the same text on every machine.
inline std::string Respaced(const ptx::TokenBuffer& tokens, u32 seed, Split split) {
  static constexpr std::string_view kGaps[] = {
      " ",
      "\n",
      "\t",
      "\r\n",
      "\f",
      "  \n\n ",
      "/**/",
      "/* mov.u32 %r1, 5; \" */",
      "// ret; { \"\n",
      " /* /* // */ ",
      "//\n",
      "\n// */ .loc 1 2 3 /*\n",
  };
  std::mt19937 random(seed);
  std::string text;
  u32 end = tokens.begin();
  bool is_version = false;
  for (const ptx::Token& token : tokens.tokens()) {
    const bool touches = token.offset() == end;
    const bool is_whole = split == Split::kNotInNames && token.Is(ptx::TokenKind::kDotWord);
    end = token.end();
    if (token.Is(ptx::TokenKind::kEnd)) break;
    if (is_version)
      text += ' ';  // ptxas wants the number behind .version on its line.
    else if (!text.empty() && !(touches && (is_whole || random() % 2 == 0)))
      text += (text.back() == '/' ? " " : "") + std::string(kGaps[random() % std::size(kGaps)]);
    text += tokens.TextOf(token);
    if (token.Is(ptx::TokenKind::kLineMarker)) text += '\n';
    is_version = tokens.TextOf(token) == ".version";
  }
  return text;
}

}  // namespace ptxfarm::test
