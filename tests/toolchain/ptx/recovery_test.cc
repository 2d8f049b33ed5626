// What is said of texts that can't be read whole. tests/golden/ptx/diagnostics/recovery.ptx has the
// faults one by one; here right modules are broken at any place.
#include <gtest/gtest.h>

#include "tests/toolchain/ptx/golden.h"
#include "toolchain/ptx/check.h"
#include "toolchain/ptx/lex.h"

namespace ptxfarm::ptx {
namespace {

std::size_t ErrorsOf(const std::string& text) {
  std::size_t errors = 0;
  for (const Diagnostic& diagnostic : Check({"", text}).diagnostics)
    if (diagnostic.severity == Severity::kError) ++errors;
  return errors;
}

// The text without its token number `index`, whose room stays.
std::string Without(const std::string& text, const TokenBuffer& tokens, std::size_t index) {
  std::string without = text;
  const Token& token = tokens.tokens()[index];
  std::fill_n(without.begin() + token.offset(), token.length(), ' ');
  return without;
}

// A fault is one error, nearly everywhere. What is left: a token less can make another right
// declaration, which its uses contradict.
TEST(RecoveryTest, AMissingTokenIsOneError) {
  std::size_t broken = 0;
  std::size_t errors = 0;
  std::size_t more_than_three = 0;
  for (const test::GoldenFile& file : test::GoldenFiles("ptx/modules")) {
    const Source source{"", file.text};
    const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
    ASSERT_TRUE(tokens) << file.name;
    constexpr std::size_t kHeadTokens = 8;
    for (std::size_t i = kHeadTokens; i + 1 < tokens->tokens().size(); i += 3) {
      const std::size_t found = ErrorsOf(Without(file.text, *tokens, i));
      if (found == 0) continue;
      ++broken;
      errors += found;
      if (found > 3) ++more_than_three;
      if (found > 3 && std::getenv("PTXFARM_SHOW") != nullptr)
        printf("%s: %zu errors without '%s' at %u\n", file.name.c_str(), found,
               std::string(tokens->TextOf(tokens->tokens()[i])).c_str(),
               source.PlaceAt(tokens->tokens()[i].offset()).line);
    }
  }
  printf("%zu texts with a token less, %.3f errors each, %zu with more than three\n", broken,
         static_cast<double>(errors) / static_cast<double>(broken), more_than_three);
  EXPECT_GT(broken, 1000u);
  EXPECT_LT(errors * 100, broken * 125);
  EXPECT_LT(more_than_three * 100, broken * 4);
}

TEST(RecoveryTest, DiagnosticsAreBounded) {
  std::string text = ".version 8.6\n.target sm_90\n.visible .entry k()\n{\n";
  for (int i = 0; i < 1000; ++i)
    text += "mov.u32 %r1 %r2;\nmov.u32 %a" + std::to_string(i) + ", 1;\n";
  EXPECT_LE(ErrorsOf(text + "}\n"), 100u);
}

}  // namespace
}  // namespace ptxfarm::ptx
