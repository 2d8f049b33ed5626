// Lexing, the fast part: blocks of 64 bytes become masks (block_masks.h), the masks tokens.
//
// A block begins at any byte, always outside a token. A token that touches the end of its block
// makes the next block begin at that token, so no state is carried from one to the next.
#include "toolchain/ptx/lex.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "toolchain/ptx/block_masks.h"
#include "toolchain/ptx/foreign_format.h"
#include "toolchain/ptx/lexer.h"

namespace ptxfarm::ptx {
namespace {

// The kind of a token by its first byte. Of '%' and '.' with a word behind them: the second half.
constexpr u32 kWithWord = 256;
constexpr std::array<TokenKind, 2 * kWithWord> kKindOf = [] {
  using enum TokenKind;
  std::array<TokenKind, 2 * kWithWord> kinds{};
  struct Row {
    char byte;
    TokenKind kind;
  };
  constexpr Row kRows[] = {
      {',', kComma},      {';', kSemicolon},  {':', kColon},       {'.', kDot},
      {'(', kLeftParen},  {')', kRightParen}, {'[', kLeftBracket}, {']', kRightBracket},
      {'{', kLeftBrace},  {'}', kRightBrace}, {'@', kAt},          {'+', kPlus},
      {'-', kMinus},      {'*', kStar},       {'%', kPercent},     {'~', kTilde},
      {'?', kQuestion},   {'^', kCaret},      {'<', kLess},        {'>', kGreater},
      {'=', kEqual},      {'!', kBang},       {'&', kAmpersand},   {'|', kBar},
      {'\\', kBackslash},
  };
  for (const Row& row : kRows) kinds[static_cast<u8>(row.byte)] = row.kind;
  for (u32 half : {0u, kWithWord}) {
    for (u32 c = 'A'; c <= 'Z'; ++c) kinds[half + c] = kinds[half + (c | 0x20)] = kName;
    for (u32 c = '0'; c <= '9'; ++c) kinds[half + c] = kInteger;
    kinds[half + '_'] = kinds[half + '$'] = kName;
  }
  kinds[kWithWord + '%'] = kName;
  kinds[kWithWord + '.'] = kDotWord;
  return kinds;
}();

// What the masks of a block say about its tokens.
struct BlockTokens {
  explicit BlockTokens(const BlockMasks& masks) {
    constexpr u64 kLast = u64{1} << (kBlockBytes - 1);
    // What the byte behind the block is nobody knows: at the last byte the doubtful is true, and
    // the slow part looks.
    const u64 before_word = masks.word >> 1 | kLast;
    const u64 before_digit = masks.digit >> 1 | kLast;
    const u64 before_compound = masks.compound >> 1 | kLast;
    const u64 headed = masks.prefix & before_word;
    starts = ~masks.blank & ~(masks.word & (masks.word | headed) << 1);
    with_word = masks.word | headed;
    not_word = ~masks.word;
    double_colons = masks.colon & (masks.colon >> 1 | kLast);
    digit = masks.digit;
    // ".5" is a number while ".2d" is not.
    slow = masks.other | (masks.compound & before_compound) | (masks.dot & before_digit);
  }

  // Whether the token at `i`, which seems to end at `end`, may be another or end elsewhere.
  bool NeedsSecondLook(const char* bytes, u32 i, u32 end) const {
    if (slow >> i & 1) return true;
    if (!(with_word >> i & 1)) return false;
    if (double_colons >> end & 1) return true;
    if (!(digit >> i & 1)) return false;
    // Plainly decimal is what has no letter, no leading zero, and no point behind it.
    const u32 digits = static_cast<u32>(std::countr_zero(~(digit >> i)));
    return digits != end - i || bytes[end] == '.' || (bytes[i] == '0' && digits > 1);
  }

  u64 starts;         // Where tokens begin.
  u64 with_word;      // Of these: those that go on through word bytes.
  u64 not_word;       // Where such a run ends.
  u64 double_colons;  // "::" begins here.
  u64 digit;
  u64 slow;  // Tokens that begin here need a second look.
};

// "no PTX" beats every other finding: what a wrong file says byte by byte helps nobody.
std::optional<Diagnostics> RefuseWhole(const Source& source) {
  if (source.text.size() > kSourceBytesMax.value)
    return Diagnostics{
        Diagnose<kinds::kInputTooLarge>({}, source.text.size(), kSourceBytesMax.value)};
  if (source.text.empty()) return Diagnostics{Diagnose<kinds::kEmptyInput>({}, "is empty")};
  if (const std::optional<std::string_view> format = ForeignFormat(source.text))
    return Diagnostics{Diagnose<kinds::kNotPtx>({}, *format)};
  return std::nullopt;
}

}  // namespace

TokenKind KindOfFirstByte(char byte, bool with_word) {
  return kKindOf[static_cast<u8>(byte) | (with_word ? kWithWord : 0)];
}

Result<TokenBuffer, Diagnostics> Lex(const Source& source) {
  if (std::optional<Diagnostics> refused = RefuseWhole(source)) return *std::move(refused);
  Lexer lexer(source);
  if (!lexer.Run()) return lexer.TakeErrors();
  return lexer.TakeBuffer();
}

bool Lexer::Run() {
  buffer_.begin_ = text_.starts_with(kByteOrderMark) ? u32{kByteOrderMark.size()} : 0;
  buffer_.end_ = static_cast<u32>(text_.find_last_not_of('\0') + 1);
  buffer_.end_ = std::max(buffer_.end_, buffer_.begin_);

  // Machine-made PTX has a token each five to six bytes; more than these make the vector grow.
  buffer_.tokens_.reserve(text_.size() / 5 + 16);
  u32 at = buffer_.begin_;
  while (at < buffer_.end_) {
    const u32 source_text = FindSourceText(at);
    at = LexBlocks(at, source_text);
    if (at == source_text && at < buffer_.end_) at = LexSourceText(at);
  }
  buffer_.tokens_.emplace_back(TokenKind::kEnd, buffer_.end_, 0);
  if (errors_.empty()) return true;

  // A letter or a log is wrong from its first word on; that is what its sender wants to hear.
  const auto first = std::find_if(buffer_.tokens_.begin(), buffer_.tokens_.end(),
                                  [](Token token) { return !token.Is(TokenKind::kLineMarker); });
  if (buffer_.TextOf(*first) != ".version") {
    const u32 found = first->Is(TokenKind::kEnd) ? buffer_.begin_ : first->offset();
    errors_ = ErrorList(buffer_.source());
    Report<kinds::kMissingVersion>(found, buffer_.source().Beginning(found));
  }
  return false;
}

u32 Lexer::LexBlocks(u32 at, u32 limit) {
  while (at < limit) {
    // The last block is padded with blanks, so that nothing behind the end is read.
    char padded[kBlockBytes];
    const char* bytes = text_.data() + at;
    if (limit - at < kBlockBytes) {
      std::memset(padded, ' ', kBlockBytes);
      std::memcpy(padded, bytes, limit - at);
      bytes = padded;
    }
    const BlockTokens block{MasksOf(bytes)};
    std::array<Token, kBlockBytes> tokens;
    u32 count = 0;
    const u32 block_end = std::min(at + kBlockBytes, limit);
    u32 next = block_end;
    u64 starts = block.starts;
    while (starts != 0) {
      const u32 i = static_cast<u32>(std::countr_zero(starts));
      const bool with_word = block.with_word >> i & 1;
      const u64 behind = block.not_word >> i >> 1;
      const bool touches_end = with_word && behind == 0;
      if (touches_end && i != 0) {
        next = at + i;
        break;
      }
      const u32 end = i + 1 + (with_word ? static_cast<u32>(std::countr_zero(behind)) : 0);
      if (touches_end || block.NeedsSecondLook(bytes, i, end)) [[unlikely]] {
        Append({tokens.data(), count});
        count = 0;
        next = LexSlowly(at + i);
        if (next >= block_end) break;
        starts &= ~u64{0} << (next - at);
        next = block_end;
        continue;
      }
      tokens[count++] = Token(KindOfFirstByte(bytes[i], with_word), at + i, end - i);
      starts &= starts - 1;
    }
    Append({tokens.data(), count});
    at = next;
  }
  return at;
}

}  // namespace ptxfarm::ptx
