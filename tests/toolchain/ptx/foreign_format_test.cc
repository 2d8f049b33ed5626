#include "toolchain/ptx/foreign_format.h"

#include <gtest/gtest.h>

namespace ptxfarm::ptx {
namespace {

using std::string_view_literals::operator""sv;

TEST(ForeignFormatTest, NamesWhatAWrongFileIs) {
  EXPECT_EQ(ForeignFormat("\x7f"
                          "ELF\2\1\1"sv),
            "an ELF file (a cubin or a host object)");
  // As they lie in a file: the number 0xba55ed50, little-endian.
  EXPECT_EQ(ForeignFormat("\x50\xED\x55\xBA\1\0"sv), "a fatbin");
  EXPECT_EQ(ForeignFormat("\xB1\x43\x62\x46\1\0"sv), "the wrapper of a fatbin");
  EXPECT_EQ(ForeignFormat("BC\xC0\xDE"sv), "LLVM bitcode");
  EXPECT_EQ(ForeignFormat("\x1F\x8B\x08"sv), "compressed with gzip");
  EXPECT_EQ(ForeignFormat(".\0v\0e\0"sv), "UTF-16 text");
}

TEST(ForeignFormatTest, LeavesTextAlone) {
  for (const std::string_view text :
       {""sv, "."sv, ".version 8.0"sv, "// x"sv, "B"sv, "\xEF\xBB\xBF.v"sv})
    EXPECT_EQ(ForeignFormat(text), std::nullopt) << text;
}

}  // namespace
}  // namespace ptxfarm::ptx
