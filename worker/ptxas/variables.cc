#include "worker/ptxas/variables.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

namespace ptxfarm::worker {
namespace {

using ptx::Token;
using ptx::TokenKind;

struct Type {
  std::string_view word;
  u64 bytes;
};
// PTX ISA 9.0 §5.2.1, and the packed types.
constexpr Type kTypes[] = {
    {".b8", 1},  {".u8", 1},    {".s8", 1},  {".b16", 2}, {".u16", 2}, {".s16", 2},
    {".f16", 2}, {".bf16", 2},  {".b32", 4}, {".u32", 4}, {".s32", 4}, {".f32", 4},
    {".b64", 8}, {".f16x2", 4}, {".u64", 8}, {".s64", 8}, {".f64", 8}, {".b128", 16},
};

// 12, 0x1F, 017, 12U; nothing for what is no number.
std::optional<u64> ReadInteger(std::string_view text) {
  while (!text.empty() && text.back() == 'U') text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
  }
  u64 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Walks over declarations; a text that breaks off in one ends the walk.
class Reader {
 public:
  Reader(const ptx::TokenBuffer& buffer, std::size_t begin, std::size_t end)
      : buffer_(buffer), at_(begin), end_(end) {}

  std::vector<Variable> Read(std::string_view space) && {
    for (bool begins = true; at_ < end_; begins = EndsStatement() || IsLinkage(), ++at_) {
      if (!begins || !IsDotWord(space)) continue;
      ++at_;
      ReadDeclaration();
    }
    std::ranges::stable_sort(variables_, std::greater<>(), &Variable::bytes);
    return std::move(variables_);
  }

 private:
  bool At(TokenKind kind) const { return at_ < end_ && buffer_.tokens()[at_].Is(kind); }
  std::string_view Text() const { return buffer_.TextOf(buffer_.tokens()[at_]); }
  bool IsDotWord(std::string_view word) const { return At(TokenKind::kDotWord) && Text() == word; }
  bool IsLinkage() const {
    return IsDotWord(".visible") || IsDotWord(".extern") || IsDotWord(".weak") ||
           IsDotWord(".common");
  }
  // So that ".const" behind it declares, and doesn't belong to an "ld". Directives of one line end
  // without a semicolon: ".address_size 64", ".file 1 "k.cu"".
  bool EndsStatement() const {
    return At(TokenKind::kSemicolon) || At(TokenKind::kLeftBrace) || At(TokenKind::kRightBrace) ||
           At(TokenKind::kInteger) || At(TokenKind::kString);
  }

  // ".align 16 .v4 .b8 a[2][3] = {…}, b" from behind the state space; stops at what ends it.
  void ReadDeclaration() {
    u64 element_bytes = 0, lanes = 1;
    for (; at_ < end_ && !At(TokenKind::kName) && !At(TokenKind::kSemicolon); ++at_) {
      for (const Type& type : kTypes)
        if (IsDotWord(type.word)) element_bytes = type.bytes;
      if (IsDotWord(".v2")) lanes = 2;
      if (IsDotWord(".v4")) lanes = 4;
    }
    while (At(TokenKind::kName)) {
      ReadVariable(element_bytes * lanes);
      if (!At(TokenKind::kComma)) return;
      ++at_;
    }
  }

  void ReadVariable(u64 bytes) {
    Variable variable{
        .name = Text(), .bytes = bytes, .place = buffer_.PlaceOf(buffer_.tokens()[at_])};
    ++at_;
    while (At(TokenKind::kLeftBracket)) {
      ++at_;
      // "[]" is as large as what it is filled with.
      const std::optional<u64> count = at_ < end_ ? ReadInteger(Text()) : std::nullopt;
      if (!count || __builtin_mul_overflow(variable.bytes, *count, &variable.bytes))
        variable.bytes = 0;
      while (at_ < end_ && !At(TokenKind::kRightBracket) && !At(TokenKind::kSemicolon)) ++at_;
      if (At(TokenKind::kRightBracket)) ++at_;
    }
    if (variable.bytes != 0) variables_.push_back(variable);
    if (At(TokenKind::kEqual)) SkipValue();
  }

  void SkipValue() {
    std::size_t depth = 0;
    for (; at_ < end_ && !At(TokenKind::kSemicolon); ++at_) {
      if (At(TokenKind::kComma) && depth == 0) return;
      if (At(TokenKind::kLeftBrace)) ++depth;
      if (At(TokenKind::kRightBrace) && depth > 0) --depth;
    }
  }

  const ptx::TokenBuffer& buffer_;
  std::size_t at_;
  const std::size_t end_;
  std::vector<Variable> variables_;
};

}  // namespace

std::vector<Variable> VariablesOf(const ptx::TokenBuffer& buffer, std::string_view space,
                                  std::size_t begin, std::size_t end) {
  return Reader(buffer, begin, std::min(end, buffer.tokens().size() - 1)).Read(space);
}

}  // namespace ptxfarm::worker
