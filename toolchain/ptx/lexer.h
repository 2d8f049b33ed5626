// The state of one run of Lex; inside this folder only.
#pragma once

#include <span>
#include <string_view>

#include "toolchain/ptx/error_list.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::ptx {

// The kind of a token by its first byte, where that tells; kEnd where the byte begins none. '%' and
// '.' are other tokens with a word behind them (0 or 1).
TokenKind KindOfFirstByte(char byte, u32 with_word);

// Two parts share it: lex.cc walks over blocks of bytes and makes the tokens that need no second
// look, lex_slow.cc those that do (comments, strings, numbers with a point, errors).
class Lexer {
 public:
  explicit Lexer(const Source& source) : buffer_(source), text_(source.text), errors_(source) {}

  // Once. True where there is no error.
  bool Run();

  TokenBuffer TakeBuffer() { return std::move(buffer_); }
  Diagnostics TakeErrors() { return errors_.Take(); }

 private:
  // Makes tokens from `at` on, up to `limit`, which no token crosses but by its slow part; returns
  // where it stopped: at `limit` or behind it.
  u32 LexBlocks(u32 at, u32 limit);
  // The same for the one block from `at` to `block_end`; `bytes` are its bytes, padded with blanks.
  u32 LexBlock(u32 at, u32 block_end, const char* bytes);
  // One token, comment or error at `at`, which is no blank; returns where it ends, behind `at`.
  u32 LexSlowly(u32 at);

  u32 LexDotWord(u32 at);
  u32 LexNumber(u32 at);
  u32 LexLineComment(u32 at);
  u32 LexBlockComment(u32 at);
  u32 LexString(u32 at);
  u32 LexLineMarker(u32 at);
  u32 LexSourceText(u32 at);
  u32 LexOperator(u32 at);
  u32 LexUnknown(u32 at);

  // Where the next .source_begin is that begins a source text, from `at` on; else the end.
  u32 FindSourceText(u32 at) const;
  // The end of the run of word bytes at `at`.
  u32 WordEnd(u32 at) const;
  char ByteAt(u32 at) const { return at < buffer_.end_ ? text_[at] : '\0'; }
  std::string_view Text(u32 begin, u32 end) const { return text_.substr(begin, end - begin); }

  u32 Add(TokenKind kind, u32 begin, u32 end) {
    buffer_.tokens_.emplace_back(kind, begin, end - begin);
    return end;
  }
  // Notes a comment's bytes that the compiler must not see.
  void CheckComment(u32 begin, u32 end);

  template <const DiagnosticKind& kind, typename... Args>
  void Report(u32 at, Args&&... args) {
    errors_.Report<kind>(at, std::forward<Args>(args)...);
  }

  TokenBuffer buffer_;
  std::string_view text_;
  ErrorList errors_;
};

}  // namespace ptxfarm::ptx
