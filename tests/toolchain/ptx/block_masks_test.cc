#include "toolchain/ptx/block_masks.h"

#include <array>
#include <cctype>
#include <string_view>

#include <gtest/gtest.h>

namespace ptxfarm::ptx {
namespace {

void ExpectEqual(const BlockMasks& a, const BlockMasks& b, int seen) {
  EXPECT_EQ(a.word, b.word) << seen;
  EXPECT_EQ(a.digit, b.digit) << seen;
  EXPECT_EQ(a.zero, b.zero) << seen;
  EXPECT_EQ(a.blank, b.blank) << seen;
  EXPECT_EQ(a.prefix, b.prefix) << seen;
  EXPECT_EQ(a.dot, b.dot) << seen;
  EXPECT_EQ(a.colon, b.colon) << seen;
  EXPECT_EQ(a.compound, b.compound) << seen;
  EXPECT_EQ(a.other, b.other) << seen;
}

// Every byte at every position: the ways to classify agree.
TEST(BlockMasksTest, VectorsAgreeWithTheTable) {
  std::array<char, kBlockBytes> block;
  for (int first = 0; first < 256; ++first) {
    for (u32 i = 0; i < kBlockBytes; ++i) block[i] = static_cast<char>(first + static_cast<int>(i));
    const BlockMasks expected = MasksOfByTable(block.data());
    ExpectEqual(MasksOf(block.data()), expected, first);
#if defined(__x86_64__)
    ExpectEqual(MasksOfSse2(block.data()), expected, first);
#endif
  }
}

TEST(BlockMasksTest, EveryByteHasOneMeaning) {
  std::array<char, kBlockBytes> block;
  for (int byte = 0; byte < 256; ++byte) {
    block.fill(static_cast<char>(byte));
    const BlockMasks masks = MasksOf(block.data());
    const bool is_word = std::isalnum(byte) != 0 && byte < 0x80;
    EXPECT_EQ(masks.word == ~u64{0}, is_word || byte == '_' || byte == '$') << byte;
    EXPECT_EQ(masks.blank == ~u64{0},
              byte != 0 && std::string_view(" \t\n\r\f\x1a").find(static_cast<char>(byte)) !=
                               std::string_view::npos)
        << byte;
    const int meanings = (masks.word != 0) + (masks.blank != 0) + (masks.prefix != 0) +
                         (masks.colon != 0) + (masks.compound != 0) + (masks.other != 0);
    EXPECT_LE(meanings, 1) << byte;
    EXPECT_EQ(masks.digit & ~masks.word, 0u) << byte;
    EXPECT_EQ(masks.dot & ~masks.prefix, 0u) << byte;
  }
}

}  // namespace
}  // namespace ptxfarm::ptx
