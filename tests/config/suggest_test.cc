#include "config/suggest.h"

#include <vector>

#include <gtest/gtest.h>

namespace ptxfarm::config {
namespace {

const std::vector<std::string> kNames = {"lease", "store-bytes-max", "listen", "jobs"};

struct Case {
  const char* written;
  const char* meant;  // Empty: none.
};
constexpr Case kCases[] = {
    {"leese", "lease"},
    {"laese", "lease"},
    {"store-byte-max", "store-bytes-max"},
    {"lissten", "listen"},
    {"job", "jobs"},
    {"completely-other", ""},
    {"", ""},
};

TEST(SuggestTest, FindsTheNearest) {
  for (const Case& row : kCases) {
    const std::string expected =
        *row.meant == 0 ? "" : std::string("; did you mean '") + row.meant + "'?";
    EXPECT_EQ(DidYouMean(row.written, kNames), expected) << row.written;
  }
  EXPECT_EQ(DidYouMean(std::string(1 << 20, 'x'), kNames), "");
}

}  // namespace
}  // namespace ptxfarm::config
