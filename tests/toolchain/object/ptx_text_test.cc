#include "toolchain/object/fatbin/ptx_text.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/toolkit.h"
#include "tests/toolchain/object/fatbinary.h"
#include "toolchain/object/fatbin/fatbin.h"

namespace ptxfarm::object::fatbin {
namespace {

struct RewriteCase {
  const char* name;
  std::string_view text, expected;
};
class RewritePtxTest : public testing::TestWithParam<RewriteCase> {};

TEST_P(RewritePtxTest, Rewrites) { EXPECT_EQ(RewritePtx(GetParam().text), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Texts, RewritePtxTest,
    testing::Values(RewriteCase{"Empty", "", ""},
                    RewriteCase{"Indentation", "a\n\t  b\n", "a\nb\n"},
                    RewriteCase{"RunOfBlanks", "a \t b", "a b"},
                    RewriteCase{"FirstBlankOfTheText", " a", " a"},
                    RewriteCase{"LineComment", "a // b\nc // d", "a \nc "},
                    RewriteCase{"CommentToCarriageReturn", "// b\r\nc", "\r\nc"},
                    RewriteCase{"BlockComment", "a/* b\n c */d", "ad"},
                    RewriteCase{"BlankBehindAComment", "a /**/ b", "a  b"},
                    RewriteCase{"ShortestBlockComment", "a/*/b", "ab"},
                    RewriteCase{"UnendedBlockComment", "a/* b", "a"},
                    RewriteCase{"Literal", "x \"//  /*\" y", "x \"//  /*\" y"},
                    RewriteCase{"EscapedQuote", "\"a\\\"  b\"  c", "\"a\\\"  b\" c"},
                    RewriteCase{"UnendedLiteral", "\"a  b", "\"a  b"}),
    [](const auto& test) { return test.param.name; });

TEST(VersionOfPtxTest, FindsTheFirst) {
  const auto text = [](std::string_view ptx) {
    const std::optional<PtxTextVersion> version = VersionOfPtx(ptx);
    return version ? fmt::format("{}.{}", version->major, version->minor) : "none";
  };
  EXPECT_EQ(text(".version 8.0\n.target sm_90"), "8.0");
  EXPECT_EQ(text("// .version 6.1\n.version 8.0"), "6.1");
  EXPECT_EQ(text(".version\t\n 8.10"), "8.1");
  EXPECT_EQ(text(".version8.0"), "none");
  EXPECT_EQ(text(".version 8"), "none");
  EXPECT_EQ(text(".version 8."), "none");
  EXPECT_EQ(text(".version x.1 .version 8.0"), "none");
  EXPECT_EQ(text(".version 99999999999999999999.1"), "none");
  EXPECT_EQ(text(""), "none");
}

// Texts of the pieces that the rules turn on, in random order.
std::string RandomText(std::mt19937& random) {
  constexpr std::string_view kPieces[] = {" ",  "\t", "\n", "\r", "/",  "*",  "\"",  "\\",  "a",
                                          "//", "/*", "*/", "\v", "\f", "  ", "\n ", "/*/", ";"};
  std::string text = ".version 8.0\n";
  const std::size_t count = random() % 60;
  for (std::size_t i = 0; i < count; ++i) text += kPieces[random() % std::size(kPieces)];
  return text;
}

TEST(RewritePtxTest, DoesAsFatbinaryDoes) {
  PTXFARM_NEED_TOOLKIT();
  std::mt19937 random(1);
  std::vector<std::string> texts;
  for (int i = 0; i < 400; ++i) texts.push_back(RandomText(random));
  std::vector<Member> members;
  for (const std::string& text : texts)
    members.push_back({.kind = MemberKind::kPtx, .target = {.sm = 90}, .image = text});
  const Result<std::string> theirs = object::test::RunFatbinary(members, "--compress=false");
  ASSERT_TRUE(theirs.has_value()) << theirs.error().ToString();
  const Result<std::vector<Container>> read = ReadFatbin(*theirs);
  ASSERT_TRUE(read.has_value()) << read.error().ToString();
  ASSERT_EQ((*read)[0].members.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Result<std::string> stored = Image((*read)[0].members[i]);
    ASSERT_TRUE(stored.has_value());
    EXPECT_EQ(RewritePtx(texts[i]), *stored) << texts[i];
  }
}

}  // namespace
}  // namespace ptxfarm::object::fatbin
