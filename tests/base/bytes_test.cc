#include "base/bytes.h"

#include <gtest/gtest.h>

namespace ptxfarm {
namespace {

TEST(BytesTest, ReadsLittleEndianInsideBoundsOnly) {
  const std::string_view bytes("\x01\x02\x03\x04\x05", 5);
  EXPECT_EQ(ReadAt<u32>(bytes, 0), 0x04030201u);
  EXPECT_EQ(ReadAt<u32>(bytes, 1), 0x05040302u);
  EXPECT_EQ(ReadAt<u32>(bytes, 2), std::nullopt);
  EXPECT_EQ(ReadAt<u8>(bytes, ~u64{0}), std::nullopt);
}

TEST(BytesTest, SliceNeverOverflows) {
  const std::string_view bytes("abc");
  EXPECT_EQ(SliceAt(bytes, 1, 2), "bc");
  EXPECT_EQ(SliceAt(bytes, 3, 0), "");
  EXPECT_EQ(SliceAt(bytes, 1, ~u64{0}), std::nullopt);
  EXPECT_EQ(SliceAt(bytes, 4, 0), std::nullopt);
}

TEST(BytesTest, WritesWhatItReads) {
  std::string bytes;
  AppendTo(bytes, u16{0x1234});
  AppendTo(bytes, u64{7});
  WriteAt(bytes, 2, u64{0x0102030405060708});
  EXPECT_EQ(ReadAt<u16>(bytes, 0), 0x1234);
  EXPECT_EQ(ReadAt<u64>(bytes, 2), 0x0102030405060708u);
  EXPECT_EQ(AlignUp(9, 8), 16u);
  EXPECT_EQ(AlignUp(16, 8), 16u);
}

}  // namespace
}  // namespace ptxfarm
