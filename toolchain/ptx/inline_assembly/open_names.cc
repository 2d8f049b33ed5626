#include "toolchain/ptx/inline_assembly/open_names.h"

namespace ptxfarm::ptx {

std::vector<OpenName> FindOpenNames(const TokenBuffer& tokens, u32 begin, u32 end) {
  std::vector<OpenName> names;
  const std::span<const Token> all = tokens.tokens();
  u32 depth = 0;
  bool is_declaration = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Token& token = all[i];
    if (token.offset() < begin) continue;
    if (token.offset() >= end) break;
    if (token.Is(TokenKind::kRightBrace) && depth == 0) break;
    if (token.Is(TokenKind::kLeftBrace)) ++depth;
    if (token.Is(TokenKind::kRightBrace)) --depth;
    if (token.Is(TokenKind::kSemicolon)) is_declaration = false;
    if (depth > 0) continue;
    if (token.Is(TokenKind::kDotWord) && tokens.TextOf(token) == ".reg") is_declaration = true;
    if (!token.Is(TokenKind::kName)) continue;
    const bool is_label = all[i + 1].Is(TokenKind::kColon);
    if (is_label || is_declaration) names.push_back({token, is_label});
  }
  return names;
}

}  // namespace ptxfarm::ptx
