// The classification of block_masks.h for vectors of any width; inside this folder only.
#pragma once

#include <cstring>

#include "toolchain/ptx/block_masks.h"

namespace ptxfarm::ptx {

// Vector is an array of bytes as the compiler's vector extension has it; bits_of gives the top bit
// of each byte as a number. Included by one file an instruction set, which gives its own Vector: no
// two of them make the same function.
template <typename Vector, typename BitsOf>
BlockMasks MasksOfVectors(const char* bytes, BitsOf bits_of) {
  BlockMasks masks;
#pragma GCC unroll 4
  for (u32 at = 0; at < kBlockBytes; at += u32{sizeof(Vector)}) {
    Vector b;
    std::memcpy(&b, bytes + at, sizeof(Vector));
    const auto is = [&](char c) { return b == static_cast<u8>(c); };
    // Bytes below `first` wrap around and become large.
    const auto in_range = [](const Vector& v, char first, char last) {
      return v - static_cast<u8>(first) <= static_cast<u8>(last - first);
    };
    const auto add = [&](u64& mask, const auto& found) { mask |= u64{bits_of(found)} << at; };

    const auto digit = in_range(b, '0', '9');
    const auto dot = is('.');
    const auto blank = (in_range(b, '\t', '\r') & ~is('\v')) | is(' ') | is('\x1a');
    const auto control = b < u8{' '};
    add(masks.word, in_range(b | u8{0x20}, 'a', 'z') | digit | is('_') | is('$'));
    add(masks.digit, digit);
    add(masks.zero, is('0'));
    add(masks.blank, blank);
    add(masks.prefix, dot | is('%'));
    add(masks.dot, dot);
    add(masks.colon, is(':'));
    add(masks.compound, in_range(b, '<', '>') | is('!') | is('&') | is('|') | is('@'));
    add(masks.other,
        (control & ~blank) | (b >= u8{0x7f}) | is('"') | is('#') | is('\'') | is('/') | is('`'));
  }
  return masks;
}

}  // namespace ptxfarm::ptx
