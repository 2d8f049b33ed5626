#include "toolchain/target/ptx_version.h"

#include <gtest/gtest.h>

namespace ptxfarm {
namespace {

TEST(PtxVersionTest, ComparesByMajorThenMinor) {
  EXPECT_LT((PtxVersion{7, 8}), (PtxVersion{8, 0}));
  EXPECT_LT((PtxVersion{8, 0}), (PtxVersion{8, 1}));
  EXPECT_EQ((PtxVersion{9, 4}).ToString(), "9.4");
  EXPECT_EQ(fmt::format("{}", PtxVersion{6, 0}), "6.0");
}

TEST(PtxVersionTest, KnowsWhichVersionsWerePublished) {
  for (const PtxVersion published : {PtxVersion{1, 0}, {5, 0}, {7, 8}, {8, 8}, {9, 0}, {9, 4}})
    EXPECT_TRUE(IsPublished(published)) << published.ToString();
  for (const PtxVersion other : {PtxVersion{0, 9}, {1, 6}, {5, 1}, {7, 9}, {8, 9}, {9, 5}})
    EXPECT_FALSE(IsPublished(other)) << other.ToString();
}

}  // namespace
}  // namespace ptxfarm
