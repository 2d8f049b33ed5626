#include "toolchain/ptx/lex.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ptxfarm::ptx {
namespace {

using std::string_literals::operator""s;
using enum TokenKind;

struct Spelled {
  TokenKind kind;
  std::string text;
  friend bool operator==(const Spelled&, const Spelled&) = default;
  friend void PrintTo(const Spelled& token, std::ostream* out) {
    *out << static_cast<int>(token.kind) << " '" << token.text << "'";
  }
};

// The tokens of a text without kEnd; none where it doesn't lex.
std::vector<Spelled> TokensOf(const std::string& text) {
  const Source source{"k.ptx", text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  std::vector<Spelled> spelled;
  if (!tokens) {
    ADD_FAILURE() << Format(tokens.error()[0], "k.ptx");
    return spelled;
  }
  for (const Token& token : tokens->tokens())
    if (!token.Is(kEnd)) spelled.push_back({token.kind(), std::string(tokens->TextOf(token))});
  return spelled;
}

struct Case {
  const char* text;
  std::vector<Spelled> tokens;
};

const Case kCases[] = {
    // Words.
    {"mov.u32 %r1, %tid.x;",
     {{kName, "mov"},
      {kDotWord, ".u32"},
      {kName, "%r1"},
      {kComma, ","},
      {kName, "%tid"},
      {kDotWord, ".x"},
      {kSemicolon, ";"}}},
    {"_ $a a$1 %_ __", {{kName, "_"}, {kName, "$a"}, {kName, "a$1"}, {kName, "%_"}, {kName, "__"}}},
    {"a%b", {{kName, "a"}, {kName, "%b"}}},
    {"mov .b32", {{kName, "mov"}, {kDotWord, ".b32"}}},
    {". b32", {{kDot, "."}, {kName, "b32"}}},
    {"a..b", {{kName, "a"}, {kDot, "."}, {kDotWord, ".b"}}},
    {"ld.shared::cta.u32", {{kName, "ld"}, {kDotWord, ".shared::cta"}, {kDotWord, ".u32"}}},
    {".mbarrier::complete_tx::bytes", {{kDotWord, ".mbarrier::complete_tx::bytes"}}},
    {".sp::2:4.m16", {{kDotWord, ".sp::2:4"}, {kDotWord, ".m16"}}},
    {".sp::2 :4", {{kDotWord, ".sp::2"}, {kColon, ":"}, {kInteger, "4"}}},
    {".shared ::cta", {{kDotWord, ".shared"}, {kColon, ":"}, {kColon, ":"}, {kName, "cta"}}},
    {".shared:: cta", {{kDotWord, ".shared"}, {kColon, ":"}, {kColon, ":"}, {kName, "cta"}}},
    {"tex.2d.v4 .16x64b",
     {{kName, "tex"}, {kDotWord, ".2d"}, {kDotWord, ".v4"}, {kDotWord, ".16x64b"}}},
    {"L1:mov", {{kName, "L1"}, {kColon, ":"}, {kName, "mov"}}},
    // Numbers, PTX ISA 9.4 §4.5.
    {"0 7 12U 017 017U 0x1F 0X1fU 0b11 0B0U",
     {{kInteger, "0"},
      {kInteger, "7"},
      {kInteger, "12U"},
      {kInteger, "017"},
      {kInteger, "017U"},
      {kInteger, "0x1F"},
      {kInteger, "0X1fU"},
      {kInteger, "0b11"},
      {kInteger, "0B0U"}}},
    {"1.5 5. .5 1e5 1.E-5 1.5e+5 .5e3 08.5",
     {{kFloat, "1.5"},
      {kFloat, "5."},
      {kFloat, ".5"},
      {kFloat, "1e5"},
      {kFloat, "1.E-5"},
      {kFloat, "1.5e+5"},
      {kFloat, ".5e3"},
      {kFloat, "08.5"}}},
    {"0f3F800000 0F3f800000 0d3FF0000000000000",
     {{kFloat, "0f3F800000"}, {kFloat, "0F3f800000"}, {kFloat, "0d3FF0000000000000"}}},
    {"-1.0", {{kMinus, "-"}, {kFloat, "1.0"}}},
    {"8.0.target", {{kFloat, "8.0"}, {kDotWord, ".target"}}},
    {"0x1.b8", {{kInteger, "0x1"}, {kDotWord, ".b8"}}},
    {"1.5.2", {{kFloat, "1.5"}, {kFloat, ".2"}}},
    {"7%3", {{kInteger, "7"}, {kName, "%3"}}},
    {"7 % 3", {{kInteger, "7"}, {kPercent, "%"}, {kInteger, "3"}}},
    {"%r<9>", {{kName, "%r"}, {kLess, "<"}, {kInteger, "9"}, {kGreater, ">"}}},
    // Operators.
    {"<<>><=>===!=&&||",
     {{kLessLess, "<<"},
      {kGreaterGreater, ">>"},
      {kLessEqual, "<="},
      {kGreaterEqual, ">="},
      {kEqualEqual, "=="},
      {kBangEqual, "!="},
      {kAmpersandAmpersand, "&&"},
      {kBarBar, "||"}}},
    {"< <!& &|--++",
     {{kLess, "<"},
      {kLess, "<"},
      {kBang, "!"},
      {kAmpersand, "&"},
      {kAmpersand, "&"},
      {kBar, "|"},
      {kMinus, "-"},
      {kMinus, "-"},
      {kPlus, "+"},
      {kPlus, "+"}}},
    {"6/2*~?^\\",
     {{kInteger, "6"},
      {kSlash, "/"},
      {kInteger, "2"},
      {kStar, "*"},
      {kTilde, "~"},
      {kQuestion, "?"},
      {kCaret, "^"},
      {kBackslash, "\\"}}},
    {"@!%p bra", {{kAt, "@"}, {kBang, "!"}, {kName, "%p"}, {kName, "bra"}}},
    {"{}()[]",
     {{kLeftBrace, "{"},
      {kRightBrace, "}"},
      {kLeftParen, "("},
      {kRightParen, ")"},
      {kLeftBracket, "["},
      {kRightBracket, "]"}}},
    // Comments and blanks.
    {"a/**/b//c\nd/*/ x */e", {{kName, "a"}, {kName, "b"}, {kName, "d"}, {kName, "e"}}},
    {"a//c\rb", {{kName, "a"}}},
    {"a/* // */b// /*\nc", {{kName, "a"}, {kName, "b"}, {kName, "c"}}},
    {"a\t\f\r\n\x1a b", {{kName, "a"}, {kName, "b"}}},
    // Strings have no escapes and may hold line ends.
    {"\"a//b\" \"\" \"x\ny\"", {{kString, "\"a//b\""}, {kString, "\"\""}, {kString, "\"x\ny\""}}},
    {"\"a\\\"", {{kString, "\"a\\\""}}},
    // Lines of preprocessors.
    {"#line 7 \"f\"\nx", {{kLineMarker, "#line 7 \"f\""}, {kName, "x"}}},
    {" # 7 \"f\" 1 3 \r\nx", {{kLineMarker, "# 7 \"f\" 1 3"}, {kName, "x"}}},
    {"; #line7 \"\"", {{kSemicolon, ";"}, {kLineMarker, "#line7 \"\""}}},
    // Debug statements of PTX 1.x.
    {"@@DWARF .byte 1", {{kDwarfMarker, "@@DWARF"}, {kDotWord, ".byte"}, {kInteger, "1"}}},
    {"@ @DWARF @progbits",
     {{kAt, "@"}, {kAt, "@"}, {kName, "DWARF"}, {kAt, "@"}, {kName, "progbits"}}},
    // PTX ISA 9.4 §11.5.6.
    {"{ .source_begin \xC3\xA9 \"{ /* .source_end }",
     {{kLeftBrace, "{"},
      {kSourceText, ".source_begin \xC3\xA9 \"{ /* .source_end"},
      {kRightBrace, "}"}}},
    {".source_begins 1", {{kDotWord, ".source_begins"}, {kInteger, "1"}}},
};

TEST(LexTest, CutsTextIntoTokens) {
  for (const Case& c : kCases) EXPECT_EQ(TokensOf(c.text), c.tokens) << c.text;
}

// The fast part works on blocks of 64 bytes: what stands across a boundary is the same token.
TEST(LexTest, TokensAreTheSameAtEveryOffset) {
  for (const Case& c : kCases) {
    for (std::size_t blanks = 0; blanks <= 130; ++blanks) {
      ASSERT_EQ(TokensOf(std::string(blanks, ' ') + c.text), c.tokens) << blanks << ": " << c.text;
      const std::string with_tail =
          std::string(blanks, '\n') + c.text + "\n" + std::string(80, ' ');
      ASSERT_EQ(TokensOf(with_tail), c.tokens) << blanks << ": " << c.text;
    }
  }
}

TEST(LexTest, LongTokensAreWhole) {
  for (const std::size_t size : {63, 64, 65, 127, 128, 129, 5000, 100000}) {
    const std::string name(size, 'n');
    EXPECT_EQ(TokensOf(name), (std::vector<Spelled>{{kName, name}}));
    EXPECT_EQ(TokensOf("%" + name + ",x"),
              (std::vector<Spelled>{{kName, "%" + name}, {kComma, ","}, {kName, "x"}}));
    EXPECT_EQ(TokensOf("." + name + "::" + name + ";"),
              (std::vector<Spelled>{{kDotWord, "." + name + "::" + name}, {kSemicolon, ";"}}));
    const std::string digits(size, '1');
    EXPECT_EQ(TokensOf(digits + "U"), (std::vector<Spelled>{{kInteger, digits + "U"}}));
  }
}

TEST(LexTest, DropsAByteOrderMarkAndTrailingNuls) {
  const std::string text = "\xEF\xBB\xBF.version 8.0\n\0\0\0"s;
  const Source source{"k.ptx", text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->begin(), 3u);
  EXPECT_EQ(tokens->end(), 16u);
  ASSERT_EQ(tokens->tokens().size(), 3u);
  EXPECT_EQ(tokens->PlaceOf(tokens->tokens()[0]), (Place{1, 1}));
  EXPECT_TRUE(tokens->warnings().empty());
}

TEST(LexTest, NonAsciiCommentsGiveOneWarning) {
  const std::string text = ".version 8.0 // \xC3\xA9\n/* x \xFF */ /* plain */";
  const Source source{"k.ptx", text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  ASSERT_TRUE(tokens);
  ASSERT_EQ(tokens->warnings().size(), 1u);
  EXPECT_EQ(Format(tokens->warnings()[0], "k.ptx"),
            "k.ptx:1:17: warning: a comment holds the byte 0xc3; compilers see blanks there "
            "[non-ascii-comment]");
  EXPECT_EQ(tokens->non_ascii_comments().size(), 2u);
}

TEST(LexTest, NamesForeignFormatsAndEmptyInput) {
  const auto only_error = [](const std::string& text) {
    const Source source{"k", text};
    const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
    return tokens ? "accepted" : Format(tokens.error()[0], "k");
  };
  EXPECT_EQ(only_error(""), "k: error: the input is empty [empty-input]");
  EXPECT_EQ(
      only_error("\x7f"
                 "ELF\2\1\1\0\0"s),
      "k: error: the input is an ELF file (a cubin or a host object), not PTX text [not-ptx]");
  // A text that is no PTX is wrong at its first word, not at the first byte that PTX doesn't know.
  EXPECT_EQ(only_error("// c\nDear all, it's done\n"),
            "k:2:1: error: a module begins with .version (comments may stand before it); found "
            "'Dear all, it's done' [missing-version]");
  EXPECT_EQ(only_error("\x01\x02\xF0"),
            "k:1:1: error: a module begins with .version (comments may stand before it); found "
            "'\\x01\\x02\\xf0' [missing-version]");
}

TEST(LexTest, TooMuchTextIsRefused) {
  const std::string text(kSourceBytesMax.value + 1, ' ');
  const Source source{"k", text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  ASSERT_FALSE(tokens);
  EXPECT_EQ(tokens.error()[0].kind, "input-too-large");
}

TEST(LexTest, ReportsABoundedNumberOfErrors) {
  std::string text = ".version 8.0\n";
  for (int i = 0; i < 100000; ++i) text += "'\n";
  const Source source{"k", text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  ASSERT_FALSE(tokens);
  EXPECT_EQ(tokens.error().size(), 50u);
}

// Whatever the bytes, tokens stand in order, inside the text, and don't overlap.
TEST(LexTest, AnyBytesGiveTokensInOrderOrErrors) {
  u64 state = 1;
  const std::string_view alphabet =
      "ab1.%$_:,;(){}[]<>=!&|@/*\"#\n \\-+?~^'\0\xC3"
      "0xfUe";
  for (int round = 0; round < 20000; ++round) {
    std::string text = ".version ";
    for (int i = 0; i < 100; ++i) {
      state = state * 6364136223846793005 + 1442695040888963407;
      text += alphabet[(state >> 33) % alphabet.size()];
    }
    const Source source{"k", text};
    const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
    if (!tokens) {
      ASSERT_FALSE(tokens.error().empty());
      continue;
    }
    u32 end = 0;
    for (const Token& token : tokens->tokens()) {
      ASSERT_GE(token.offset(), end);
      ASSERT_TRUE(token.length() > 0 || token.Is(kEnd));
      end = token.end();
    }
    ASSERT_EQ(end, tokens->end());
  }
}

}  // namespace
}  // namespace ptxfarm::ptx
