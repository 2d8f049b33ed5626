#include "toolchain/ptx/source.h"

#include <gtest/gtest.h>

namespace ptxfarm::ptx {
namespace {

TEST(SourceTest, CountsLinesAndColumnsFromOne) {
  const Source source{"k.ptx", "ab\ncd\n"};
  EXPECT_EQ(source.PlaceAt(0), (Place{1, 1}));
  EXPECT_EQ(source.PlaceAt(1), (Place{1, 2}));
  EXPECT_EQ(source.PlaceAt(2), (Place{1, 3}));  // The line end belongs to its line.
  EXPECT_EQ(source.PlaceAt(3), (Place{2, 1}));
  EXPECT_EQ(source.PlaceAt(6), (Place{3, 1}));
}

TEST(SourceTest, CarriageReturnEndsALineOnlyBeforeLineFeed) {
  const Source source{"k.ptx", "a\r\nb\rc\r\nd"};
  EXPECT_EQ(source.PlaceAt(3), (Place{2, 1}));
  EXPECT_EQ(source.PlaceAt(5), (Place{2, 3}));
  EXPECT_EQ(source.PlaceAt(8), (Place{3, 1}));
  EXPECT_EQ(source.Line(1), "a");
  EXPECT_EQ(source.Line(2), "b\rc");
  EXPECT_EQ(source.Line(3), "d");
  EXPECT_EQ(source.Line(4), "");
}

TEST(SourceTest, AByteOrderMarkHasNoColumn) {
  const Source source{"k.ptx", "\xEF\xBB\xBF.version 8.0\nx"};
  EXPECT_EQ(source.PlaceAt(3), (Place{1, 1}));
  EXPECT_EQ(source.PlaceAt(16), (Place{2, 1}));
  EXPECT_EQ(source.Line(1), ".version 8.0");
}

TEST(SourceTest, ShowsABeginningInPrintableBytes) {
  const Source source{"k.ptx", std::string_view("hi\tthere\nsecond\0\0", 17)};
  EXPECT_EQ(source.Beginning(0), "hi\\x09there");
  EXPECT_EQ(source.Beginning(9), "second\\x00\\x00");
  EXPECT_EQ(source.Beginning(15), "the end of the text");
  EXPECT_EQ(source.Beginning(17), "the end of the text");
}

}  // namespace
}  // namespace ptxfarm::ptx
