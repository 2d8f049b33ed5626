// Writes tokens one statement a line. Blanks are decided by a table over neighbouring kinds of
// tokens; where lines break is for people and for the way back to the user's lines, and means
// nothing to a compiler.
#include "toolchain/ptx/canonical.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace ptxfarm::ptx {
namespace {

// What stands between two tokens.
enum class Gap : u8 {
  kNone,
  kBlank,
  kMerge,      // A blank where the two would make one token: "> >", ": :".
  kStatement,  // A line end where a directive without semicolon ends here, else a blank.
  kLine,       // A line end.
};

// Kinds of tokens that behave alike here.
enum class Piece : u8 {
  kName,
  kDotWord,
  kNumber,
  kString,
  kDot,
  kPercent,
  kColon,
  kAt,
  kMerging,  // < > = ! & | / * and what is made of them.
  kSingle,   // , ~ ? ^ + - and the like: merges with nothing.
  kOpen,
  kClose,
  kLeftBrace,
  kRightBrace,
  kSemicolon,
  kOwnLine,  // @@DWARF and a source text.
  kCount,
};
constexpr std::size_t kPieces = static_cast<std::size_t>(Piece::kCount);

constexpr Piece PieceOf(TokenKind kind) {
  using enum TokenKind;
  switch (kind) {
    case kName: return Piece::kName;
    case kDotWord: return Piece::kDotWord;
    case kInteger:
    case kFloat: return Piece::kNumber;
    case kString: return Piece::kString;
    case kDot: return Piece::kDot;
    case kPercent: return Piece::kPercent;
    case kColon: return Piece::kColon;
    case kAt: return Piece::kAt;
    case kLess:
    case kGreater:
    case kEqual:
    case kBang:
    case kAmpersand:
    case kBar:
    case kSlash:
    case kStar:
    case kLessLess:
    case kGreaterGreater:
    case kLessEqual:
    case kGreaterEqual:
    case kEqualEqual:
    case kBangEqual:
    case kAmpersandAmpersand:
    case kBarBar: return Piece::kMerging;
    case kComma:
    case kPlus:
    case kMinus:
    case kTilde:
    case kQuestion:
    case kCaret:
    case kBackslash: return Piece::kSingle;
    case kLeftParen:
    case kLeftBracket: return Piece::kOpen;
    case kRightParen:
    case kRightBracket: return Piece::kClose;
    case kLeftBrace: return Piece::kLeftBrace;
    case kRightBrace: return Piece::kRightBrace;
    case kSemicolon: return Piece::kSemicolon;
    case kDwarfMarker:
    case kSourceText: return Piece::kOwnLine;
    case kEnd:
    case kLineMarker: break;
  }
  return Piece::kCount;  // Writes nothing.
}

constexpr auto kPieceOf = [] {
  std::array<Piece, 1 << Token::kKindBits> pieces{};
  pieces.fill(Piece::kCount);
  for (u32 kind = 0; kind <= static_cast<u32>(TokenKind::kBackslash); ++kind)
    pieces[kind] = PieceOf(static_cast<TokenKind>(kind));
  return pieces;
}();

using GapTable = std::array<std::array<Gap, kPieces>, kPieces>;

// By left and right neighbour. In a directive dotted words are apart (".visible .entry"), in an
// instruction they touch ("mov.u32"): ptxas takes either everywhere.
constexpr GapTable MakeGaps(bool in_directive) {
  GapTable gaps{};
  const auto set = [&](Piece left, Piece right, Gap gap) {
    gaps[static_cast<std::size_t>(left)][static_cast<std::size_t>(right)] = gap;
  };
  constexpr Piece kWords[] = {Piece::kName, Piece::kDotWord, Piece::kNumber, Piece::kString};
  for (const Piece left : kWords) {
    for (const Piece right : kWords) set(left, right, Gap::kBlank);
    set(left, Piece::kDot, Gap::kBlank);
  }
  for (std::size_t right = 0; right < kPieces; ++right) {
    set(Piece::kDot, static_cast<Piece>(right), Gap::kBlank);
    set(static_cast<Piece>(right), Piece::kOwnLine, Gap::kLine);
    set(Piece::kOwnLine, static_cast<Piece>(right), Gap::kBlank);
  }
  set(Piece::kPercent, Piece::kName, Gap::kBlank);
  set(Piece::kPercent, Piece::kNumber, Gap::kBlank);
  set(Piece::kMerging, Piece::kMerging, Gap::kMerge);
  set(Piece::kAt, Piece::kAt, Gap::kMerge);
  set(Piece::kColon, Piece::kColon, Gap::kMerge);
  set(Piece::kDotWord, Piece::kColon, Gap::kMerge);
  if (!in_directive) {
    set(Piece::kName, Piece::kDotWord, Gap::kNone);
    set(Piece::kDotWord, Piece::kDotWord, Gap::kNone);
    return gaps;
  }
  for (const Piece left : {Piece::kName, Piece::kNumber, Piece::kString})
    set(left, Piece::kDotWord, Gap::kStatement);
  for (const Piece right : {Piece::kName, Piece::kAt}) {
    set(Piece::kNumber, right, Gap::kStatement);
    set(Piece::kString, right, Gap::kStatement);
  }
  for (const Piece right : kWords) set(Piece::kClose, right, Gap::kBlank);
  return gaps;
}
constexpr GapTable kGaps[2] = {MakeGaps(false), MakeGaps(true)};

class CanonicalWriter {
 public:
  explicit CanonicalWriter(const TokenBuffer& tokens)
      : tokens_(tokens), source_(tokens.source().text), chunk_(new char[kChunkBytes]) {}

  CompilerText Write();

 private:
  void WriteToken(const Token& token, Piece piece);
  Gap GapBefore(const Token& token, Piece piece);
  bool EndsStatement() const;
  bool WouldMerge(const Token& token) const;
  void EndLine();
  void CountLines(const Token& token);

  void Put(char c);
  void Put(const Token& token);
  void Flush();

  const TokenBuffer& tokens_;
  std::string_view source_;
  CompilerText result_;
  // Bytes gather here before they go to the text: appending each token to a string costs as much
  // as lexing it.
  static constexpr std::size_t kChunkBytes = 32 << 10;
  std::unique_ptr<char[]> chunk_;
  std::size_t chunk_size_ = 0;

  // The statement so far.
  u32 pieces_ = 0;  // 0: at the start of a line.
  u32 depth_ = 0;   // Of parentheses, brackets, and braces that are no block.
  bool in_directive_ = false;
  bool in_initializer_ = false;
  bool breaks_after_ = false;  // A line ends behind the token being written.
  Piece last_piece_ = Piece::kCount;
  const Token* last_ = nullptr;
  const Token* before_last_ = nullptr;
};

}  // namespace

CompilerText Canonicalize(const TokenBuffer& tokens) { return CanonicalWriter(tokens).Write(); }

namespace {

CompilerText CanonicalWriter::Write() {
  result_.text.reserve(tokens_.end() - tokens_.begin());
  for (const Token& token : tokens_.tokens()) {
    const Piece piece = kPieceOf[static_cast<std::size_t>(token.kind())];
    if (piece != Piece::kCount) WriteToken(token, piece);
  }
  if (pieces_ != 0) EndLine();
  Flush();
  return std::move(result_);
}

void CanonicalWriter::WriteToken(const Token& token, Piece piece) {
  switch (GapBefore(token, piece)) {
    case Gap::kBlank: Put(' '); break;
    case Gap::kLine: EndLine(); break;
    default: break;
  }
  if (pieces_ == 0) {
    result_.line_offsets.push_back(token.offset());
    in_directive_ = piece == Piece::kDotWord || piece == Piece::kOwnLine;
  }
  Put(token);
  if (piece == Piece::kString || piece == Piece::kOwnLine) CountLines(token);
  ++pieces_;
  last_piece_ = piece;
  before_last_ = last_;
  last_ = &token;
  if (breaks_after_) EndLine();
}

// Also keeps account of where the statement is.
Gap CanonicalWriter::GapBefore(const Token& token, Piece piece) {
  Gap gap = Gap::kNone;
  if (pieces_ != 0)
    gap = kGaps[in_directive_][static_cast<std::size_t>(last_piece_)]
               [static_cast<std::size_t>(piece)];
  if (gap == Gap::kMerge) gap = WouldMerge(token) ? Gap::kBlank : Gap::kNone;
  if (gap == Gap::kStatement) gap = EndsStatement() ? Gap::kLine : Gap::kBlank;

  breaks_after_ = false;
  switch (piece) {
    case Piece::kOpen: ++depth_; break;
    case Piece::kClose: depth_ -= depth_ != 0; break;
    case Piece::kSemicolon: breaks_after_ = true; break;
    case Piece::kColon:  // Behind a label.
      breaks_after_ = pieces_ == 1 && last_piece_ == Piece::kName;
      break;
    case Piece::kMerging: in_initializer_ |= in_directive_ && token.Is(TokenKind::kEqual); break;
    case Piece::kLeftBrace: {
      const bool is_block = depth_ == 0 && (pieces_ == 0 || (in_directive_ && !in_initializer_));
      if (!is_block) {
        ++depth_;
        break;
      }
      breaks_after_ = true;
      if (pieces_ != 0) gap = Gap::kLine;
      break;
    }
    case Piece::kRightBrace:
      if (depth_ != 0) {
        --depth_;
        break;
      }
      breaks_after_ = true;
      if (pieces_ != 0) gap = Gap::kLine;
      break;
    case Piece::kOwnLine: breaks_after_ = token.Is(TokenKind::kSourceText); break;
    default: break;
  }
  return gap;
}

// Directives such as .version, .file and .loc end without a semicolon. ".align 8 .b8 x" goes on.
bool CanonicalWriter::EndsStatement() const {
  if (depth_ != 0) return false;
  return pieces_ < 2 || tokens_.TextOf(*before_last_) != ".align";
}

bool CanonicalWriter::WouldMerge(const Token& token) const {
  const char left = source_[last_->end() - 1];
  const char right = source_[token.offset()];
  switch (left) {
    case '<':
    case '>': return right == left || right == '=';
    case '=':
    case '!': return right == '=';
    case '/': return right == '/' || right == '*';
    case '&':
    case '|':
    case '@':
    case ':': return right == left;
    default:
      // ".sp::2" and ":4" would be ".sp::2:4".
      return last_piece_ == Piece::kDotWord && tokens_.TextOf(*last_).find(':') != source_.npos;
  }
}

void CanonicalWriter::EndLine() {
  Put('\n');
  pieces_ = 0;
  depth_ = 0;
  in_initializer_ = false;
}

// The lines that begin inside a token.
void CanonicalWriter::CountLines(const Token& token) {
  const std::string_view text = tokens_.TextOf(token);
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    result_.line_offsets.push_back(token.offset() + static_cast<u32>(at) + 1);
}

void CanonicalWriter::Put(char c) {
  if (chunk_size_ == kChunkBytes) Flush();
  chunk_[chunk_size_++] = c;
}

void CanonicalWriter::Put(const Token& token) {
  // Most tokens are short: sixteen bytes are copied at once, of which the next token overwrites
  // what was too much.
  constexpr std::size_t kCopied = 16;
  if (token.length() > kCopied || token.offset() + kCopied > source_.size() ||
      chunk_size_ + kCopied > kChunkBytes) {
    Flush();
    result_.text.append(tokens_.TextOf(token));
    return;
  }
  std::memcpy(&chunk_[chunk_size_], source_.data() + token.offset(), kCopied);
  chunk_size_ += token.length();
}

void CanonicalWriter::Flush() {
  result_.text.append(chunk_.get(), chunk_size_);
  chunk_size_ = 0;
}

}  // namespace

Place CompilerText::PlaceOf(const Source& source, u32 line) const {
  if (line == 0) return {};
  if (line_offsets.empty()) return {.line = line};
  return source.PlaceAt(line_offsets[std::min<std::size_t>(line, line_offsets.size()) - 1]);
}

bool TextLinesMatter(const ModuleHeader& header) { return header.is_debug || header.has_locations; }

CompilerText ExactText(const TokenBuffer& tokens) {
  CompilerText exact;
  exact.text = tokens.source().text.substr(tokens.begin(), tokens.end() - tokens.begin());
  for (const TokenBuffer::Span& comment : tokens.non_ascii_comments()) {
    const auto begin = exact.text.begin() + (comment.begin - tokens.begin());
    std::replace_if(
        begin, begin + (comment.end - comment.begin),
        [](char c) { return static_cast<u8>(c) >= 0x80; }, ' ');
  }
  return exact;
}

}  // namespace ptxfarm::ptx
