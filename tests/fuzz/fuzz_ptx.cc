// Lexer, header and both texts for the compiler, over anything: no fault, tokens in order, and a
// canonical form that is a fixed point and keeps the tokens.
#include <string>
#include <string_view>

#include "toolchain/ptx/canonical.h"
#include "toolchain/ptx/header.h"
#include "toolchain/ptx/lex.h"

namespace {

using namespace ptxfarm;       // NOLINT: the fuzzer's own file
using namespace ptxfarm::ptx;  // NOLINT

void CheckOrder(const TokenBuffer& tokens) {
  u32 end = tokens.begin();
  for (const Token& token : tokens.tokens()) {
    PTXFARM_CHECK(token.offset() >= end && token.end() <= tokens.end(), "tokens overlap");
    end = token.end();
  }
}

void CheckSameTokens(const TokenBuffer& a, const TokenBuffer& b) {
  const Token* other = b.tokens().data();
  for (const Token& token : a.tokens()) {
    if (token.Is(TokenKind::kLineMarker)) continue;
    PTXFARM_CHECK(token.kind() == other->kind() && a.TextOf(token) == b.TextOf(*other),
                  "the canonical form has other tokens");
    ++other;
  }
}

void CheckCanonical(const Source& source, const TokenBuffer& tokens) {
  const CompilerText canonical = Canonicalize(tokens);
  // What doesn't begin with .version may begin as another format does: " MZ" is a name.
  if (!canonical.text.starts_with(".version")) return;
  for (const u32 offset : canonical.line_offsets)
    PTXFARM_CHECK(offset <= source.text.size(), "a line comes from outside the text");
  const Source again{"canonical", canonical.text};
  const Result<TokenBuffer, Diagnostics> tokens_again = Lex(again);
  PTXFARM_CHECK(tokens_again.has_value(), "the canonical form doesn't lex");
  CheckSameTokens(tokens, *tokens_again);
  PTXFARM_CHECK(Canonicalize(*tokens_again).text == canonical.text, "no fixed point");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
  const Source source{"fuzz", std::string_view(reinterpret_cast<const char*>(data), size)};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  if (!tokens) {
    PTXFARM_CHECK(!tokens.error().empty(), "an error without a word");
    return 0;
  }
  CheckOrder(*tokens);
  CheckCanonical(source, *tokens);
  (void)ExactText(*tokens);
  const Result<ModuleHeader, Diagnostics> header = ReadHeader(*tokens);
  if (header) (void)TextLinesMatter(*header);
  return 0;
}
