// Lexing, the careful part: tokens whose end or kind the masks don't tell, comments, and errors.
#include <algorithm>
#include <bit>

#include "base/text.h"
#include "toolchain/ptx/block_masks.h"
#include "toolchain/ptx/find_text.h"
#include "toolchain/ptx/lexer.h"

namespace ptxfarm::ptx {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsOctalDigit(char c) { return c >= '0' && c <= '7'; }
bool IsBinaryDigit(char c) { return c == '0' || c == '1'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsWord(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool IsLineBlank(char c) { return c == ' ' || c == '\t'; }

template <typename Predicate>
std::size_t RunLength(std::string_view text, Predicate predicate) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), predicate) -
                                  text.begin());
}

// The length of an exponent at the start of `text`: "e5", "E-3"; 0 where there is none.
std::size_t ExponentLength(std::string_view text) {
  if (text.empty() || (text[0] != 'e' && text[0] != 'E')) return 0;
  const std::size_t sign = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 1 : 0;
  const std::size_t digits = RunLength(text.substr(1 + sign), IsDigit);
  return digits == 0 ? 0 : 1 + sign + digits;
}

// The length of a decimal float with a point or an exponent at the start of `text`, else 0.
std::size_t DecimalFloatLength(std::string_view text) {
  const std::size_t whole = RunLength(text, IsDigit);
  std::size_t length = whole;
  bool has_point = false;
  if (text.substr(length).starts_with('.')) {
    const std::size_t fraction = RunLength(text.substr(length + 1), IsDigit);
    if (whole == 0 && fraction == 0) return 0;
    length += 1 + fraction;
    has_point = true;
  }
  if (length == 0) return 0;
  const std::size_t exponent = ExponentLength(text.substr(length));
  return has_point || exponent != 0 ? length + exponent : 0;
}

struct Number {
  TokenKind kind;
  std::size_t length;
};

// PTX ISA 9.4 §4.5: the longest number at the start of `text`, which begins with a digit.
Number LongestNumber(std::string_view text) {
  Number best{TokenKind::kInteger, 0};
  const auto consider = [&](TokenKind kind, std::size_t length) {
    if (length > best.length) best = {kind, length};
  };
  const auto with_suffix = [&](std::size_t length) {
    return length + (text.substr(length).starts_with('U') ? 1 : 0);
  };
  const auto based = [&](char letter, auto is_digit) -> std::size_t {
    if (text.size() < 3 || text[0] != '0' || (text[1] | 0x20) != letter) return 0;
    const std::size_t digits = RunLength(text.substr(2), is_digit);
    return digits == 0 ? 0 : 2 + digits;
  };

  if (const std::size_t length = based('x', IsHexDigit))
    consider(TokenKind::kInteger, with_suffix(length));
  if (const std::size_t length = based('b', IsBinaryDigit))
    consider(TokenKind::kInteger, with_suffix(length));
  constexpr std::size_t kFloatDigits = 8;
  constexpr std::size_t kDoubleDigits = 16;
  if (based('f', IsHexDigit) >= 2 + kFloatDigits) consider(TokenKind::kFloat, 2 + kFloatDigits);
  if (based('d', IsHexDigit) >= 2 + kDoubleDigits) consider(TokenKind::kFloat, 2 + kDoubleDigits);
  consider(TokenKind::kFloat, DecimalFloatLength(text));
  consider(TokenKind::kInteger,
           with_suffix(text[0] == '0' ? RunLength(text, IsOctalDigit) : RunLength(text, IsDigit)));
  return best;
}

// Why a word that begins with a digit is no number.
std::string_view WhyNoNumber(std::string_view word) {
  const char letter = word.size() > 1 && word[0] == '0' ? static_cast<char>(word[1] | 0x20) : '\0';
  switch (letter) {
    case 'f': return "0f wants 8 hexadecimal digits";
    case 'd': return "0d wants 16 hexadecimal digits";
    case 'x': return "0x wants hexadecimal digits";
    case 'b': return "0b wants binary digits";
    default: break;
  }
  if (word[0] == '0' && RunLength(word, IsDigit) == word.size())
    return "after a leading 0 the digits are octal";
  if (word.ends_with('u') || word.ends_with('l') || word.ends_with('L'))
    return "the only suffix is 'U'";
  if (word.ends_with('e') || word.ends_with('E')) return "an exponent needs digits";
  if (word.ends_with('f')) return "floats have no suffix";
  return "a name doesn't begin with a digit, and a blank must separate a number from a name";
}

// "the no-break space U+00A0"; of a byte that is no UTF-8, its number.
std::string DescribeNonAscii(std::string_view text) {
  struct Row {
    std::string_view bytes;
    std::string_view name;
  };
  static constexpr Row kRows[] = {
      {kByteOrderMark, "a byte order mark behind the start of the text"},
      {"\xC2\xA0", "a no-break space"},
      {"\xE2\x80\x9C", "a typographic quote"},
      {"\xE2\x80\x9D", "a typographic quote"},
      {"\xE2\x80\x98", "a typographic quote"},
      {"\xE2\x80\x99", "a typographic quote"},
      {"\xE2\x80\x93", "a dash that is not '-'"},
      {"\xE2\x80\x94", "a dash that is not '-'"},
      {"\xE2\x88\x92", "a minus sign that is not '-'"},
  };
  for (const Row& row : kRows)
    if (text.starts_with(row.bytes)) return std::string(row.name);
  return fmt::format("the byte 0x{:02x}", static_cast<u8>(text[0]));
}

}  // namespace

u32 Lexer::LexSlowly(u32 at) {
  const char byte = text_[at];
  const char next = ByteAt(at + 1);
  if (IsDigit(byte)) return LexNumber(at);
  if (IsWord(byte)) return Add(TokenKind::kName, at, WordEnd(at));
  switch (byte) {
    case '%':
      if (IsWord(next)) return Add(TokenKind::kName, at, WordEnd(at + 1));
      return Add(TokenKind::kPercent, at, at + 1);
    case '.': return LexDotWord(at);
    case '/':
      if (next == '/') return LexLineComment(at);
      if (next == '*') return LexBlockComment(at);
      return Add(TokenKind::kSlash, at, at + 1);
    case '"': return LexString(at);
    case '#': return LexLineMarker(at);
    default: return LexOperator(at);
  }
}

u32 Lexer::LexDotWord(u32 at) {
  if (const std::size_t length = DecimalFloatLength(text_.substr(at, buffer_.end_ - at))) {
    // ".5" is a number; ".5x" is longer as a word, so it is one: ".2d", ".16x64b".
    const u32 end = at + static_cast<u32>(length);
    if (!IsWord(ByteAt(end))) return Add(TokenKind::kFloat, at, end);
  }
  if (!IsWord(ByteAt(at + 1))) return Add(TokenKind::kDot, at, at + 1);
  u32 end = WordEnd(at + 1);
  while (ByteAt(end) == ':' && ByteAt(end + 1) == ':' && IsWord(ByteAt(end + 2))) {
    const u32 part = end + 2;
    end = WordEnd(part);
    // ".sp::2:4": numbers behind a double colon may be two.
    if (RunLength(Text(part, end), IsDigit) == end - part && ByteAt(end) == ':' &&
        IsDigit(ByteAt(end + 1)))
      end = WordEnd(end + 1);
  }
  return Add(TokenKind::kDotWord, at, end);
}

u32 Lexer::LexNumber(u32 at) {
  const Number number = LongestNumber(text_.substr(at, buffer_.end_ - at));
  const u32 end = at + static_cast<u32>(number.length);
  if (!IsWord(ByteAt(end))) return Add(number.kind, at, end);
  const u32 word_end = WordEnd(end);
  const std::string_view word = Text(at, word_end);
  Report<kinds::kBadNumber>(at, Shortened(word), WhyNoNumber(word));
  return word_end;
}

u32 Lexer::LexLineComment(u32 at) {
  const u32 end = static_cast<u32>(std::min<std::size_t>(text_.find('\n', at), buffer_.end_));
  CheckComment(at, end);
  return end;
}

u32 Lexer::LexBlockComment(u32 at) {
  const std::size_t close = FindText(text_, "*/", at + 2);
  if (close == std::string_view::npos) {
    Report<kinds::kUnclosedComment>(at);
    return buffer_.end_;
  }
  const u32 end = static_cast<u32>(close) + 2;
  CheckComment(at, end);
  return end;
}

void Lexer::CheckComment(u32 begin, u32 end) {
  const std::string_view comment = Text(begin, end);
  // Without a branch in it the loop runs at many bytes a cycle.
  u8 all = 0;
  bool has_nul = false;
  for (const char c : comment) {
    all |= static_cast<u8>(c);
    has_nul |= c == '\0';
  }
  if (has_nul) Report<kinds::kNulByte>(begin + static_cast<u32>(comment.find('\0')));
  if (all < 0x80) return;
  if (buffer_.non_ascii_comments_.empty()) {
    const auto first = std::find_if(comment.begin(), comment.end(),
                                    [](char c) { return static_cast<u8>(c) >= 0x80; });
    const u32 offset = begin + static_cast<u32>(first - comment.begin());
    buffer_.warnings_.push_back(Diagnose<kinds::kNonAsciiComment>(buffer_.source().PlaceAt(offset),
                                                                  static_cast<u8>(*first)));
  }
  buffer_.non_ascii_comments_.push_back({begin, end});
}

u32 Lexer::LexString(u32 at) {
  const std::size_t close = text_.find('"', at + 1);
  if (close == std::string_view::npos) {
    Report<kinds::kUnclosedString>(at);
    return buffer_.end_;
  }
  const u32 end = static_cast<u32>(close) + 1;
  const std::string_view string = Text(at, end);
  const auto odd = std::find_if(string.begin(), string.end(),
                                [](char c) { return c == '\0' || static_cast<u8>(c) >= 0x80; });
  if (odd != string.end()) {
    LexUnknown(at + static_cast<u32>(odd - string.begin()));
    return end;
  }
  return Add(TokenKind::kString, at, end);
}

// #[ ][line][ ]NUMBER[ ]"FILE"[ ][FLAGS] up to the end of the line.
u32 Lexer::LexLineMarker(u32 at) {
  const u32 line_end = static_cast<u32>(std::min<std::size_t>(text_.find('\n', at), buffer_.end_));
  std::string_view rest = Text(at + 1, line_end);
  while (rest.ends_with('\r') || rest.ends_with(' ') || rest.ends_with('\t')) rest.remove_suffix(1);
  const std::string_view whole(text_.data() + at, rest.size() + 1);
  const auto skip_blanks = [&] {
    const std::size_t blanks = RunLength(rest, IsLineBlank);
    rest.remove_prefix(blanks);
    return blanks != 0;
  };
  const auto skip_digits = [&] {
    const std::size_t digits = RunLength(rest, IsDigit);
    rest.remove_prefix(digits);
    return digits != 0;
  };
  skip_blanks();
  if (rest.starts_with("line")) rest.remove_prefix(4);
  skip_blanks();
  bool good = skip_digits() && skip_blanks() && rest.starts_with('"');
  if (good) {
    const std::size_t close = rest.find('"', 1);
    const std::string_view name = rest.substr(0, close);
    good = close != std::string_view::npos &&
           std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c != '\\'; });
    rest.remove_prefix(good ? close + 1 : 0);
  }
  while (good && !rest.empty()) good = skip_blanks() && skip_digits();
  if (good) return Add(TokenKind::kLineMarker, at, at + static_cast<u32>(whole.size()));
  Report<kinds::kBadLineMarker>(at, Shortened(whole));
  return line_end;
}

u32 Lexer::LexSourceText(u32 at) {
  constexpr std::string_view kClose = ".source_end";
  const std::size_t close = FindText(text_, kClose, at);
  if (close == std::string_view::npos || close >= buffer_.end_) {
    Report<kinds::kUnclosedSource>(at);
    return buffer_.end_;
  }
  return Add(TokenKind::kSourceText, at, static_cast<u32>(close + kClose.size()));
}

u32 Lexer::FindSourceText(u32 at) const {
  constexpr std::string_view kOpen = ".source_begin";
  std::size_t found = FindText(text_, kOpen, at);
  while (found < buffer_.end_ && IsWord(ByteAt(static_cast<u32>(found + kOpen.size()))))
    found = FindText(text_, kOpen, found + kOpen.size());
  return static_cast<u32>(std::min<std::size_t>(found, buffer_.end_));
}

u32 Lexer::LexOperator(u32 at) {
  struct Row {
    std::string_view text;
    TokenKind kind;
  };
  static constexpr Row kRows[] = {
      {"<<", TokenKind::kLessLess},         {">>", TokenKind::kGreaterGreater},
      {"<=", TokenKind::kLessEqual},        {">=", TokenKind::kGreaterEqual},
      {"==", TokenKind::kEqualEqual},       {"!=", TokenKind::kBangEqual},
      {"||", TokenKind::kBarBar},           {"&&", TokenKind::kAmpersandAmpersand},
      {"@@DWARF", TokenKind::kDwarfMarker},
  };
  const std::string_view rest = text_.substr(at, buffer_.end_ - at);
  for (const Row& row : kRows) {
    if (!rest.starts_with(row.text)) continue;
    const u32 end = at + static_cast<u32>(row.text.size());
    if (row.kind != TokenKind::kDwarfMarker || !IsWord(ByteAt(end))) return Add(row.kind, at, end);
  }
  const TokenKind kind = KindOfFirstByte(text_[at], 0);
  if (kind == TokenKind::kEnd) return LexUnknown(at);
  return Add(kind, at, at + 1);
}

u32 Lexer::LexUnknown(u32 at) {
  const auto byte = static_cast<u8>(text_[at]);
  if (byte == 0) {
    Report<kinds::kNulByte>(at);
    return at + static_cast<u32>(RunLength(Text(at, buffer_.end_), [](char c) { return c == 0; }));
  }
  if (byte < 0x80) {
    Report<kinds::kUnknownCharacter>(at, Shortened(Text(at, at + 1)));
    return at + 1;
  }
  Report<kinds::kNonAscii>(at, DescribeNonAscii(Text(at, buffer_.end_)));
  return at + static_cast<u32>(RunLength(Text(at, buffer_.end_),
                                         [](char c) { return static_cast<u8>(c) >= 0x80; }));
}

u32 Lexer::WordEnd(u32 at) const {
  // Mangled names have hundreds of bytes.
  for (; buffer_.end_ - at >= kBlockBytes; at += kBlockBytes) {
    const u64 not_word = ~MasksOf(text_.data() + at).word;
    if (not_word != 0) return at + static_cast<u32>(std::countr_zero(not_word));
  }
  return at + static_cast<u32>(RunLength(Text(at, buffer_.end_), IsWord));
}

}  // namespace ptxfarm::ptx
