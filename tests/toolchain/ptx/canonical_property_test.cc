// Properties of the canonical form over sample modules; what ptxas makes of it is ptxas_test.cc's.
#include <gtest/gtest.h>

#include "tests/toolchain/ptx/golden.h"
#include "tests/toolchain/ptx/respaced.h"
#include "toolchain/ptx/canonical.h"
#include "toolchain/ptx/lex.h"

namespace ptxfarm::ptx {
namespace {

constexpr u32 kSeeds = 40;

TokenBuffer Lexed(const Source& source) {
  Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  PTXFARM_CHECK(tokens.has_value(), Format(tokens.error()[0], source.name));
  return *std::move(tokens);
}

// The tokens by kind and text, without line markers.
std::string SpelledTokens(const TokenBuffer& tokens) {
  std::string spelled;
  for (const Token& token : tokens.tokens()) {
    if (token.Is(TokenKind::kLineMarker)) continue;
    spelled += std::to_string(static_cast<int>(token.kind()));
    spelled += ' ';
    spelled += tokens.TextOf(token);
    spelled += '\n';
  }
  return spelled;
}

TEST(CanonicalPropertyTest, KeepsTheTokens) {
  for (const test::GoldenFile& file : test::GoldenFiles("ptx/modules")) {
    const Source source{file.name, file.text};
    const TokenBuffer tokens = Lexed(source);
    const CompilerText canonical = Canonicalize(tokens);
    const Source canonical_source{"canonical", canonical.text};
    const TokenBuffer again = Lexed(canonical_source);
    EXPECT_EQ(SpelledTokens(again), SpelledTokens(tokens)) << file.name;
    EXPECT_EQ(Canonicalize(again).text, canonical.text) << file.name;
  }
}

TEST(CanonicalPropertyTest, IsTheSameForOtherBlanksAndComments) {
  for (const test::GoldenFile& file : test::GoldenFiles("ptx/modules")) {
    const Source source{file.name, file.text};
    const TokenBuffer tokens = Lexed(source);
    const std::string canonical = Canonicalize(tokens).text;
    for (u32 seed = 0; seed < kSeeds; ++seed) {
      const std::string respaced = test::Respaced(tokens, seed, test::Split::kAnywhere);
      const Source respaced_source{"respaced", respaced};
      ASSERT_EQ(Canonicalize(Lexed(respaced_source)).text, canonical)
          << file.name << ", seed " << seed << "\n"
          << respaced;
    }
  }
}

// Line `n` of the canonical text begins with the bytes that the user's text has at its place.
TEST(CanonicalPropertyTest, EveryLineBeginsWhereItsPlaceSays) {
  for (const test::GoldenFile& file : test::GoldenFiles("ptx/modules")) {
    const Source source{file.name, file.text};
    const CompilerText canonical = Canonicalize(Lexed(source));
    const Source canonical_source{"canonical", canonical.text};
    const auto lines = std::count(canonical.text.begin(), canonical.text.end(), '\n');
    ASSERT_EQ(canonical.line_offsets.size(), static_cast<std::size_t>(lines)) << file.name;
    for (u32 line = 1; line <= static_cast<u32>(lines); ++line) {
      const std::string_view written = canonical_source.Line(line);
      const Place place = canonical.PlaceOf(source, line);
      const std::string_view original = source.Line(place.line).substr(place.column - 1);
      ASSERT_EQ(written.substr(0, 1), original.substr(0, 1)) << file.name << ":" << line;
    }
  }
}

}  // namespace
}  // namespace ptxfarm::ptx
