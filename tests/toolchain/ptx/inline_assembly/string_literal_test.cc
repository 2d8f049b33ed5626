#include "toolchain/ptx/inline_assembly/string_literal.h"

#include <gtest/gtest.h>

namespace ptxfarm::ptx {
namespace {

MappedText Read(std::string_view literal) {
  MappedText text;
  AppendLiteral(literal, {0, static_cast<u32>(literal.size())}, text);
  return text;
}

struct Case {
  const char* name;
  const char* literal;
  const char* bytes;
};

class StringLiteralTest : public testing::TestWithParam<Case> {};

TEST_P(StringLiteralTest, StandsForItsBytes) {
  EXPECT_EQ(Read(GetParam().literal).text(), GetParam().bytes);
}

// clang-format off
constexpr Case kCases[] = {
    {"Plain",     "\"mov.b32\"",            "mov.b32"},
    {"Simple",    "\"a\\n\\t\\\"\\\\b\"",   "a\n\t\"\\b"},
    {"Octal",     "\"\\12\\1234\"",         "\n" "S4"},
    {"Hex",       "\"\\x41\\x0a\"",         "A\n"},
    {"Splice",    "\"a\\\nb\\\r\nc\"",      "abc"},
    {"Raw",       "R\"(a\\n\"b)\"",         "a\\n\"b"},
    {"Delimiter", "R\"xy(a)\")xy\"",        "a)\""},
    {"Prefix",    "u8\"a\"",                "a"},
    {"Unclosed",  "\"ab",                   "ab"},
    {"LoneEscape","\"ab\\",                 "ab"},
    {"UnclosedRaw","R\"(",                  ""},
};
// clang-format on
INSTANTIATE_TEST_SUITE_P(All, StringLiteralTest, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(StringLiteralTest, KnowsWhereEachByteStands) {
  const std::string_view source = "x \"a\\tb\" \"cd\"";
  MappedText text;
  AppendLiteral(source, {2, 8}, text);
  AppendLiteral(source, {9, 13}, text);
  ASSERT_EQ(text.text(), "a\tbcd");
  EXPECT_EQ(text.OriginOf(0, 1), (SourceSpan{3, 4}));
  EXPECT_EQ(text.OriginOf(1, 2), (SourceSpan{4, 6})) << "the escape is two bytes";
  EXPECT_EQ(text.OriginOf(2, 4), (SourceSpan{6, 11})) << "from one literal into the next";
  EXPECT_EQ(text.OriginOf(5, 5), (SourceSpan{12, 12})) << "behind the last byte";
}

TEST(MappedTextTest, PartsKeepTheirOrigins) {
  MappedText first;
  first.AppendCopy("abc", 10);
  first.AppendFor("X", {20, 25});
  first.AppendCopy("de", 30);
  MappedText second;
  second.AppendFor("head", {1, 1});
  second.AppendPart(first, 1, 5);
  EXPECT_EQ(second.text(), "headbcXd");
  EXPECT_EQ(second.OriginOf(4, 6), (SourceSpan{11, 13}));
  EXPECT_EQ(second.OriginOf(6, 7), (SourceSpan{20, 25}));
  EXPECT_EQ(second.OriginOf(7, 8), (SourceSpan{30, 31}));
  EXPECT_EQ(second.OriginOf(0, 0), (SourceSpan{1, 1}));
}

}  // namespace
}  // namespace ptxfarm::ptx
