// A place in a row of tokens that moves forward.
#pragma once

#include <string>

#include "base/text.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::ptx {

// Line markers are invisible to it: they may stand between any two tokens.
class TokenCursor {
 public:
  explicit TokenCursor(const TokenBuffer& buffer)
      : buffer_(&buffer), next_(buffer.tokens().data()) {
    SkipLineMarkers();
  }

  const Token& Peek() const { return *next_; }
  bool At(TokenKind kind) const { return next_->Is(kind); }
  bool AtEnd() const { return At(TokenKind::kEnd); }
  bool AtDotWord(std::string_view word) const { return At(TokenKind::kDotWord) && Text() == word; }
  std::string_view Text() const { return buffer_->TextOf(*next_); }
  // For messages: the token, or what is there instead of one.
  std::string Shown() const { return AtEnd() ? "the end of the text" : Shortened(Text(), 40); }

  // Stays at the end.
  void Advance() {
    if (AtEnd()) return;
    ++next_;
    SkipLineMarkers();
  }
  bool AdvanceIf(TokenKind kind) {
    if (!At(kind)) return false;
    Advance();
    return true;
  }

  const TokenBuffer& buffer() const { return *buffer_; }

 private:
  void SkipLineMarkers() {
    while (next_->Is(TokenKind::kLineMarker)) ++next_;
  }

  const TokenBuffer* buffer_;
  const Token* next_;
};

}  // namespace ptxfarm::ptx
