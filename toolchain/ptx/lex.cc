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
    // What byte is behind the block nobody knows: at the last one the doubtful is true, and a
    // second look tells.
    constexpr u64 kLast = u64{1} << (kBlockBytes - 1);
    const u64 headed = masks.prefix & (masks.word >> 1 | kLast);
    starts = ~masks.blank & ~(masks.word & (masks.word | headed) << 1);
    with_word = masks.word | headed;
    not_word = ~masks.word;
    is_open = with_word >> (kBlockBytes - 1) & 1;
    second_look = masks.other | (masks.compound & (masks.compound >> 1 | kLast)) |
                  (masks.dot & (masks.digit >> 1 | kLast)) | OddNumbers(masks);
    // ".shared::cta" is one word. Which dotted word of the block has them costs more to know than
    // to look at each.
    if ((masks.colon & (masks.colon >> 1 | kLast)) != 0) second_look |= masks.dot & headed;
  }

  // The numbers that are not plainly decimal integers.
  u64 OddNumbers(const BlockMasks& masks) const {
    const u64 numbers = masks.digit & starts;
    const u64 letters = masks.word & ~masks.digit;
    // "0x1F", "0f3F800000"; a leading zero.
    const u64 plain = numbers & ~(letters >> 1) & ~(masks.zero & masks.digit >> 1);
    // Adding the first bit of a run clears the run and sets the bit behind it.
    const u64 sum = masks.word + plain;
    const u64 inside = masks.word & ~sum;
    const u64 behind = sum & ~masks.word;
    // "12U", "1e5", "1.5" are rare: one makes all numbers of the block odd.
    const bool doubtful = ((inside & letters) | (behind & masks.dot)) != 0;
    return doubtful ? numbers : numbers & ~plain;
  }

  u64 starts;       // Where tokens begin.
  u64 with_word;    // Of these: those that go on through word bytes.
  u64 not_word;     // Where such a run ends.
  u64 second_look;  // Tokens that begin here may be others, or end elsewhere, than it seems.
  bool is_open;     // The last token may go on behind the block.
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

TokenKind KindOfFirstByte(char byte, u32 with_word) {
  return kKindOf[static_cast<u8>(byte) | with_word << 8];
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

  // Machine-made PTX has a token each five bytes or more; more than these make the vector grow.
  buffer_.tokens_.reserve(text_.size() / 4 + 16);
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
  // So is a comment without an end, before which nothing stands.
  const bool is_comment = first->Is(TokenKind::kEnd) && errors_.Has<kinds::kUnclosedComment>();
  if (buffer_.TextOf(*first) != ".version" && !is_comment) {
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
    at = LexBlock(at, std::min(at + kBlockBytes, limit), bytes);
  }
  return at;
}

u32 Lexer::LexBlock(u32 at, u32 block_end, const char* bytes) {
  const BlockTokens block{MasksOf(bytes)};
  u64 starts = block.starts;
  u32 next = block_end;
  if (block.is_open) {
    const u32 last = static_cast<u32>(std::bit_width(starts)) - 1;
    if (last == 0) return LexSlowly(at);
    starts &= ~(u64{1} << last);
    next = at + last;
  }
  while (true) {
    const u64 odd = starts & block.second_look;
    u64 plain = odd == 0 ? starts : starts & ((odd & (~odd + 1)) - 1);
    std::array<Token, kBlockBytes> tokens;
    u32 count = 0;
    for (; plain != 0; plain &= plain - 1) {
      const u32 i = static_cast<u32>(std::countr_zero(plain));
      const u32 with_word = block.with_word >> i & 1;
      // A run of word bytes ends inside the block; the bit at the top is for tokens without one.
      const u64 behind = block.not_word >> i >> 1 | u64{1} << 63;
      const u32 run = static_cast<u32>(std::countr_zero(behind)) & (0 - with_word);
      tokens[count++] = Token(KindOfFirstByte(bytes[i], with_word), at + i, 1 + run);
    }
    buffer_.tokens_.insert(buffer_.tokens_.end(), tokens.begin(), tokens.begin() + count);
    if (odd == 0) return next;

    const u32 behind = LexSlowly(at + static_cast<u32>(std::countr_zero(odd)));
    if (behind >= next) return behind;
    starts &= ~u64{0} << (behind - at);
  }
}

}  // namespace ptxfarm::ptx
