#include "base/compress.h"

#include <gtest/gtest.h>

namespace ptxfarm {
namespace {

TEST(CompressTest, GivesBackWhatWasPutIn) {
  for (const std::size_t size : {0u, 1u, 1000u, 1000000u}) {
    const std::string plain(size, 'p');
    const Result<std::string> back = ZstdDecompress(ZstdCompress(plain), size);
    ASSERT_TRUE(back.has_value()) << back.error().ToString();
    EXPECT_EQ(*back, plain);
  }
}

TEST(CompressTest, RefusesAFrameThatSaysOrHoldsAnotherSize) {
  const std::string frame = ZstdCompress(std::string(1000, 'p'));
  EXPECT_EQ(ZstdDecompress(frame, 999).error().code, Code::kDataLoss);
  EXPECT_EQ(ZstdDecompress(frame.substr(0, frame.size() - 1), 1000).error().code, Code::kDataLoss);
  EXPECT_EQ(ZstdDecompress("", 0).error().code, Code::kDataLoss);
  EXPECT_EQ(ZstdDecompress("no frame at all", 15).error().code, Code::kDataLoss);
}

}  // namespace
}  // namespace ptxfarm
