#include "base/text.h"

#include <gtest/gtest.h>

namespace ptxfarm {
namespace {

TEST(TextTest, ShortenedIsPrintableAndBounded) {
  EXPECT_EQ(Shortened("abc"), "abc");
  EXPECT_EQ(Shortened(std::string_view("a\0\n\xff", 4)), "a\\x00\\x0a\\xff");
  EXPECT_EQ(Shortened("abcdef", 3), "abc…");
}

TEST(TextTest, NearestFindsSlips) {
  constexpr std::string_view kNames[] = {"maxrregcount", "maxntid", "c", "lineinfo"};
  EXPECT_EQ(Nearest("maxregcount", kNames), "maxrregcount");
  EXPECT_EQ(Nearest("lineinf", kNames), "lineinfo");
  EXPECT_EQ(Nearest("d", kNames), std::nullopt);
  EXPECT_EQ(Nearest("something", kNames), std::nullopt);
  EXPECT_EQ(Nearest(std::string(1000000, 'x'), kNames), std::nullopt);
}

}  // namespace
}  // namespace ptxfarm
