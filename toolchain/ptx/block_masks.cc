#include "toolchain/ptx/block_masks.h"

#include <array>
#include <string_view>

#if defined(__x86_64__)
#include <emmintrin.h>

#include "toolchain/ptx/block_masks_vector.h"
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

#if defined(__x86_64__)

BlockMasks MasksOfSse2(const char* bytes) {
  using Vector = u8 __attribute__((vector_size(16)));
  return MasksOfVectors<Vector>(bytes, [](const auto& found) {
    return static_cast<u16>(_mm_movemask_epi8(reinterpret_cast<__m128i>(found)));
  });
}

BlockMasks MasksOf(const char* bytes) {
  static BlockMasks (*const best)(const char*) =
      __builtin_cpu_supports("avx2") ? MasksOfAvx2 : MasksOfSse2;
  return best(bytes);
}

#else

BlockMasks MasksOf(const char* bytes) { return MasksOfByTable(bytes); }

#endif

}  // namespace ptxfarm::ptx
