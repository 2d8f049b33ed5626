// Sixty-four bytes of text as bit masks: bit i is about byte i.
//
// The lexer's speed lives here. Tokens of PTX are short and their lengths unpredictable, so a loop
// over bytes mispredicts once a token; whole blocks are classified without branches instead, and
// token bounds are found with a few operations on the masks.
#pragma once

#include "base/int.h"

namespace ptxfarm::ptx {

inline constexpr u32 kBlockBytes = 64;

struct BlockMasks {
  u64 word = 0;      // [A-Za-z0-9_$]: continues a name, a dotted word or a number.
  u64 digit = 0;     // [0-9]
  u64 zero = 0;      // '0'
  u64 blank = 0;     // Space, tab, LF, CR, form feed, 0x1A.
  u64 prefix = 0;    // '%' and '.': begin a token together with a word after them.
  u64 dot = 0;       // '.'
  u64 colon = 0;     // ':'
  u64 compound = 0;  // <>=!&|@: may make one token with the byte after.
  u64 other = 0;     // Quote, slash, '#', and what is no part of PTX: a look at the byte decides.
};

// Of the 64 bytes at `bytes`, in the quickest way that the processor has.
BlockMasks MasksOf(const char* bytes);

// The ways. By table, byte by byte, is for other processors, and for tests.
BlockMasks MasksOfByTable(const char* bytes);
#if defined(__x86_64__)
BlockMasks MasksOfSse2(const char* bytes);
BlockMasks MasksOfAvx2(const char* bytes);  // Where __builtin_cpu_supports("avx2").
#endif

}  // namespace ptxfarm::ptx
