#include "config/units.h"

#include <gtest/gtest.h>

namespace ptxfarm::config {
namespace {

using std::chrono::nanoseconds;

struct GoodSize {
  const char* text;
  u64 bytes;
  const char* printed;
};
constexpr GoodSize kGoodSizes[] = {
    {"0", 0, "0"},
    {"1500", 1500, "1500B"},
    {"64MiB", 64 * kMiB, "64MiB"},
    {"64 MiB", 64 * kMiB, "64MiB"},
    {"1024KiB", kMiB, "1MiB"},
    {"2KB", 2000, "2KB"},
    {"18446744073709551615", ~u64{0}, "18446744073709551615B"},
};

TEST(UnitsTest, ReadsSizesAndPrintsWhatReadsBack) {
  for (const GoodSize& good : kGoodSizes) {
    EXPECT_EQ(ParseBytes(good.text).value(), good.bytes) << good.text;
    EXPECT_EQ(FormatBytes(good.bytes), good.printed);
    EXPECT_EQ(ParseBytes(FormatBytes(good.bytes)).value(), good.bytes);
  }
}

TEST(UnitsTest, RefusesSizesThatAreUnclear) {
  for (const char* bad : {"", "MiB", "64M", "-1", "1.5GiB", "64MiB ", "0x10", "64  MiB",
                          "18446744073709551616", "16777216TiB", "+1"})
    EXPECT_FALSE(ParseBytes(bad)) << bad;
}

struct GoodDuration {
  const char* text;
  nanoseconds value;
  const char* printed;
};
constexpr GoodDuration kGoodDurations[] = {
    {"0", nanoseconds(0), "0s"},
    {"250ms", std::chrono::milliseconds(250), "250ms"},
    {"10s", std::chrono::seconds(10), "10s"},
    {"90s", std::chrono::seconds(90), "90s"},
    {"120s", std::chrono::seconds(120), "2m"},
    {"48h", std::chrono::hours(48), "2d"},
    {"7us", std::chrono::microseconds(7), "7us"},
    {"9223372036854775807ns", nanoseconds::max(), "9223372036854775807ns"},
};

TEST(UnitsTest, ReadsDurationsAndPrintsWhatReadsBack) {
  for (const GoodDuration& good : kGoodDurations) {
    EXPECT_EQ(ParseDuration(good.text).value(), good.value) << good.text;
    EXPECT_EQ(FormatDuration(good.value), good.printed);
  }
}

TEST(UnitsTest, RefusesDurationsThatAreUnclear) {
  for (const char* bad : {"", "10", "s", "-1s", "1.5s", "1s1", "9223372036854775808ns", "106752d"})
    EXPECT_FALSE(ParseDuration(bad)) << bad;
}

TEST(UnitsTest, CountsAreDigitsOnly) {
  EXPECT_EQ(ParseCount("42").value(), 42u);
  for (const char* bad : {"", "4x", "4 ", "-4", " 4", "1e3"}) EXPECT_FALSE(ParseCount(bad)) << bad;
}

}  // namespace
}  // namespace ptxfarm::config
