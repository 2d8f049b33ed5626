// Tokens of PTX text: eight bytes each, which say where the token is and of what kind.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/int.h"
#include "base/limits.h"
#include "toolchain/ptx/source.h"

namespace ptxfarm::ptx {

enum class TokenKind : u8 {
  kEnd,          // After the last one; empty.
  kName,         // mov, foo$1, %r1, _: instructions, registers, variables, labels alike.
  kDotWord,      // .global, .shared::cta, .sp::2:4, .2d: directives and modifiers alike.
  kInteger,      // 12, 017U, 0x1F, 0b11: the value is the parser's to take.
  kFloat,        // 1.5, .5e3, 0f3F800000, 0d3FF0000000000000; also the 8.0 of .version.
  kString,       // With its quotes; it has no escapes, and may hold line ends.
  kLineMarker,   // #line 7 "f" and # 7 "f", as preprocessors leave them.
  kDwarfMarker,  // @@DWARF, which begins the debug statements of PTX 1.x.
  kSourceText,   // .source_begin, any text, .source_end (PTX ISA 9.4 §11.5.6).
  kComma,
  kSemicolon,
  kColon,
  kDot,  // Alone: before a blank, or doubled. No construct of PTX has it.
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kAt,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kPercent,  // Alone: "7 % 3". "7%3" is 7 and the name %3.
  kTilde,
  kQuestion,
  kCaret,
  kLess,
  kGreater,
  kEqual,
  kBang,
  kAmpersand,
  kBar,
  kLessLess,
  kGreaterGreater,
  kLessEqual,
  kGreaterEqual,
  kEqualEqual,
  kBangEqual,
  kAmpersandAmpersand,
  kBarBar,
  kBackslash,  // ptxas takes one where a statement may begin, and does nothing with it.
};

class Token {
 public:
  static constexpr u32 kKindBits = 6;
  static constexpr u32 kLengthMax = (u32{1} << (32 - kKindBits)) - 1;

  Token() = default;  // Of no value: arrays of tokens cost nothing to make.
  Token(TokenKind kind, u32 offset, u32 length)
      : offset_(offset), bits_(length << kKindBits | static_cast<u32>(kind)) {}

  TokenKind kind() const { return static_cast<TokenKind>(bits_ & ((1u << kKindBits) - 1)); }
  bool Is(TokenKind kind) const { return this->kind() == kind; }
  u32 offset() const { return offset_; }
  u32 length() const { return bits_ >> kKindBits; }
  u32 end() const { return offset_ + length(); }

 private:
  u32 offset_;
  u32 bits_;
};
static_assert(sizeof(Token) == 8);
static_assert(static_cast<u32>(TokenKind::kBackslash) < 1u << Token::kKindBits);

inline constexpr Limit kSourceBytesMax{"source_bytes_max", Token::kLengthMax,
                                       "a token holds its length in 26 bits"};

// What Lex makes. Every byte between `begin` and `end` is in a token, a blank or a comment.
class TokenBuffer {
 public:
  explicit TokenBuffer(const Source& source) : source_(&source) {}

  const Source& source() const { return *source_; }
  // In the order of the text; the last one is kEnd, so a look ahead needs no bounds check.
  std::span<const Token> tokens() const { return tokens_; }

  std::string_view TextOf(const Token& token) const {
    return source_->text.substr(token.offset(), token.length());
  }
  Place PlaceOf(const Token& token) const { return source_->PlaceAt(token.offset()); }

  // The text without what no compiler may see: a byte order mark at the start, NULs at the end.
  u32 begin() const { return begin_; }
  u32 end() const { return end_; }
  // Spans of comments that hold bytes above 127, in order.
  struct Span {
    u32 begin = 0;
    u32 end = 0;
  };
  std::span<const Span> non_ascii_comments() const { return non_ascii_comments_; }

  // What was odd but is accepted.
  const Diagnostics& warnings() const { return warnings_; }

 private:
  friend class Lexer;

  const Source* source_;
  u32 begin_ = 0;
  u32 end_ = 0;
  std::vector<Token> tokens_;
  std::vector<Span> non_ascii_comments_;
  Diagnostics warnings_;
};

}  // namespace ptxfarm::ptx
