#include "toolchain/ptx/block_masks.h"

#include <array>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ptxfarm::ptx {
namespace {

enum Class : u8 {
  kWord = 1 << 0,
  kDigit = 1 << 1,
  kBlank = 1 << 2,
  kPrefix = 1 << 3,
  kDot = 1 << 4,
  kColon = 1 << 5,
  kCompound = 1 << 6,
  kOther = 1 << 7,
};

constexpr std::array<u8, 256> kClassOf = [] {
  std::array<u8, 256> classes{};
  for (u8& value : classes) value = kOther;
  const auto set = [&](std::string_view bytes, int value) {
    for (const char c : bytes) classes[static_cast<u8>(c)] = static_cast<u8>(value);
  };
  set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$", kWord);
  set("0123456789", kWord | kDigit);
  set(" \t\n\r\f\x1a", kBlank);
  set("%", kPrefix);
  set(".", kPrefix | kDot);
  set(":", kColon);
  set("<>=!&|@", kCompound);
  set(",;()[]{}+-*~?^\\", 0);
  return classes;
}();

}  // namespace

BlockMasks MasksOfByTable(const char* bytes) {
  BlockMasks masks;
  for (u32 i = 0; i < kBlockBytes; ++i) {
    const u8 value = kClassOf[static_cast<u8>(bytes[i])];
    const auto bit = [&](Class c) { return u64{(value & c) != 0} << i; };
    masks.word |= bit(kWord);
    masks.digit |= bit(kDigit);
    masks.zero |= u64{bytes[i] == '0'} << i;
    masks.blank |= bit(kBlank);
    masks.prefix |= bit(kPrefix);
    masks.dot |= bit(kDot);
    masks.colon |= bit(kColon);
    masks.compound |= bit(kCompound);
    masks.other |= bit(kOther);
  }
  return masks;
}

#if defined(__SSE2__)

namespace {

inline __m128i Is(__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); }

// Bytes from `first` on, `count` of them: the difference, unsigned, is no more than count - 1.
inline __m128i InRange(__m128i bytes, char first, char count) {
  const __m128i difference = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
  const __m128i bound = _mm_set1_epi8(static_cast<char>(count - 1));
  return _mm_cmpeq_epi8(_mm_min_epu8(difference, bound), difference);
}

template <typename... Masks>
inline __m128i Any(__m128i first, Masks... rest) {
  ((first = _mm_or_si128(first, rest)), ...);
  return first;
}

}  // namespace

BlockMasks MasksOf(const char* bytes) {
  BlockMasks masks;
  for (u32 part = 0; part < 4; ++part) {
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + part);
    const auto bits = [&](__m128i mask) {
      return u64{static_cast<u16>(_mm_movemask_epi8(mask))} << (16 * part);
    };
    const __m128i letter = InRange(_mm_or_si128(b, _mm_set1_epi8(0x20)), 'a', 26);
    const __m128i digit = InRange(b, '0', 10);
    const __m128i word = Any(letter, digit, Is(b, '_'), Is(b, '$'));
    // \t \n (not \v) \f \r
    const __m128i blank =
        _mm_andnot_si128(Is(b, '\v'), Any(InRange(b, '\t', 5), Is(b, ' '), Is(b, '\x1a')));
    const __m128i dot = Is(b, '.');
    const __m128i prefix = Any(dot, Is(b, '%'));
    const __m128i colon = Is(b, ':');
    // < = >
    const __m128i compound =
        Any(InRange(b, '<', 3), Is(b, '!'), Is(b, '&'), Is(b, '|'), Is(b, '@'));
    // ( ) * + , -
    const __m128i single = Any(InRange(b, '(', 6), Is(b, ';'), Is(b, '?'), Is(b, '['), Is(b, ']'),
                               Is(b, '^'), Is(b, '{'), Is(b, '}'), Is(b, '~'), Is(b, '\\'));
    const __m128i known = Any(word, blank, prefix, colon, compound, single);
    masks.word |= bits(word);
    masks.digit |= bits(digit);
    masks.zero |= bits(Is(b, '0'));
    masks.blank |= bits(blank);
    masks.prefix |= bits(prefix);
    masks.dot |= bits(dot);
    masks.colon |= bits(colon);
    masks.compound |= bits(compound);
    masks.other |= bits(known) ^ (u64{0xffff} << (16 * part));
  }
  return masks;
}

#else

BlockMasks MasksOf(const char* bytes) { return MasksOfByTable(bytes); }

#endif

}  // namespace ptxfarm::ptx
