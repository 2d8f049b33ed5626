// Writes tokens one statement a line. Blanks are decided by a table over neighbouring kinds of
// tokens; where lines break is for people and for the way back to the user's lines, and means
// nothing to a compiler.
#include "toolchain/ptx/canonical.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ptxfarm::ptx {
namespace {

// What stands between two tokens. From kMerge on it takes a look at more than their kinds.
enum class Gap : u8 {
  kNone,
  kBlank,
  kMerge,      // A blank where the two would make one token: "> >", ": :".
  kStatement,  // A line end where a directive without semicolon ends here, else a blank.
  kLine,       // A line end.
  kColon,      // Behind a label a line ends.
  kBrace,      // Of a block, or of a list.
};

// Kinds of tokens that behave alike here.
enum class Piece : u8 {
  kName,
  kDotWord,
  kNumber,
  kDot,
  kPercent,
  kColon,
  kAt,
  kMerging,  // < > ! & | / * and what is made of them.
  kEqual,    // Merges too, and begins an initializer.
  kSingle,   // , ~ ? ^ + - and the like: merges with nothing.
  kOpen,
  kClose,
  kLeftBrace,
  kRightBrace,
  kSemicolon,
  kString,   // From here on: may hold line ends.
  kOwnLine,  // @@DWARF and a source text.
  kNothing,  // Is not written.
};
constexpr std::size_t kPieces = static_cast<std::size_t>(Piece::kNothing) + 1;
constexpr std::size_t IndexOf(Piece piece) { return static_cast<std::size_t>(piece); }

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
    case kEqual: return Piece::kEqual;
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
  return Piece::kNothing;
}

constexpr auto kPieceOf = [] {
  std::array<Piece, 1 << Token::kKindBits> pieces{};
  pieces.fill(Piece::kNothing);
  for (u32 kind = 0; kind <= static_cast<u32>(TokenKind::kBackslash); ++kind)
    pieces[kind] = PieceOf(static_cast<TokenKind>(kind));
  return pieces;
}();

// How a token changes the depth of its statement: what is added, and which bits of the sum are
// dropped (none or all). Braces take a second look.
struct DepthChange {
  i32 added = 0;
  i32 dropped = 0;
};
constexpr auto kDepthChanges = [] {
  std::array<DepthChange, kPieces> changes{};
  changes[IndexOf(Piece::kOpen)].added = 1;
  changes[IndexOf(Piece::kClose)].added = -1;
  changes[IndexOf(Piece::kSemicolon)].dropped = -1;
  return changes;
}();

// How far the statement is that is being written.
enum class Mode : u8 {
  kStart,        // At the start of a line.
  kFirst,        // Behind the first token, which is no directive: it may be a label.
  kInstruction,  // Behind more of them.
  kDirective,
};
constexpr std::size_t kModes = 4;

// In a directive dotted words are apart (".visible .entry"), in an instruction they touch
// ("mov.u32"): ptxas takes either everywhere.
constexpr Gap GapBetween(Mode mode, Piece left, Piece right) {
  using enum Piece;
  const auto is_word = [](Piece piece) {
    return piece == kName || piece == kDotWord || piece == kNumber || piece == kString;
  };
  const auto merges = [](Piece piece) { return piece == kMerging || piece == kEqual; };
  const bool in_directive = mode == Mode::kDirective;
  // Some take a second look wherever they are.
  if (right == kColon) return Gap::kColon;
  if (right == kLeftBrace || right == kRightBrace) return Gap::kBrace;
  if (right == kOwnLine) return Gap::kLine;
  if (right == kEqual && in_directive) return Gap::kMerge;

  if (mode == Mode::kStart) return Gap::kNone;
  if (left == kDot || left == kOwnLine) return Gap::kBlank;
  if (left == kPercent) return right == kName || right == kNumber ? Gap::kBlank : Gap::kNone;
  if ((merges(left) && merges(right)) || (left == kAt && right == kAt)) return Gap::kMerge;
  if (left == kClose) return in_directive && is_word(right) ? Gap::kBlank : Gap::kNone;
  if (!is_word(left)) return Gap::kNone;
  if (right == kDot) return Gap::kBlank;
  if (in_directive && left != kDotWord && right == kDotWord) return Gap::kStatement;
  if (in_directive && (left == kNumber || left == kString) && (right == kName || right == kAt))
    return Gap::kStatement;
  if (!in_directive && right == kDotWord && (left == kName || left == kDotWord)) return Gap::kNone;
  return is_word(right) ? Gap::kBlank : Gap::kNone;
}

constexpr Mode ModeBehind(Mode mode, Piece piece) {
  if (piece == Piece::kSemicolon) return Mode::kStart;
  if (mode != Mode::kStart) return mode == Mode::kFirst ? Mode::kInstruction : mode;
  const bool is_directive = piece == Piece::kDotWord || piece == Piece::kOwnLine;
  return is_directive ? Mode::kDirective : Mode::kFirst;
}

// What the loop must know of the tokens written so far: the mode and the last one.
using State = u8;
constexpr State kStartState = 0;
constexpr State StateOf(Mode mode, Piece last) {
  return mode == Mode::kStart
             ? kStartState
             : static_cast<State>(static_cast<std::size_t>(mode) * kPieces + IndexOf(last));
}
constexpr Mode ModeOf(State state) { return static_cast<Mode>(state / kPieces); }
constexpr Piece LastOf(State state) { return static_cast<Piece>(state % kPieces); }

struct Step {
  Gap gap;
  State next;
};
constexpr std::size_t kStepsInRow = 32;  // A power of two is quicker to index.
static_assert(kPieces <= kStepsInRow);
constexpr auto kSteps = [] {
  std::array<std::array<Step, kStepsInRow>, kModes * kPieces> steps{};
  for (std::size_t state = 0; state < steps.size(); ++state) {
    const Mode mode = ModeOf(static_cast<State>(state));
    const Piece last = LastOf(static_cast<State>(state));
    for (std::size_t right = 0; right < kPieces; ++right) {
      const auto piece = static_cast<Piece>(right);
      steps[state][right] = {GapBetween(mode, last, piece),
                             StateOf(ModeBehind(mode, piece), piece)};
    }
  }
  return steps;
}();

// What a token that took a second look asks for.
struct Decision {
  Gap before = Gap::kNone;  // kNone, kBlank or kLine.
  bool line_behind = false;
  i32 depth_change = 0;
};

class CanonicalWriter {
 public:
  explicit CanonicalWriter(const TokenBuffer& tokens)
      : tokens_(tokens), source_(tokens.source().text) {}

  CompilerText Write();

 private:
  Decision Decide(State state, i32 depth, const Token& token, Gap gap) const;
  bool WouldMerge(const Token& token) const;
  const Token& Before(const Token& token) const;

  // Takes what gathered, up to `out`, into the result.
  void Flush(const char* out, const u32* line);
  void PutVerbatim(const Token& token);

  // Bytes and lines gather in fixed arrays before they go to the result: each token appended to a
  // string costs as much as lexing it.
  static constexpr std::size_t kChunkBytes = 16 << 10;
  // Most tokens are short. So many bytes are copied whatever the length, and what was too much is
  // overwritten by the next token.
  static constexpr std::size_t kCopied = 32;
  static constexpr std::size_t kMargin = kCopied + 2;  // A byte before and one behind it.

  const TokenBuffer& tokens_;
  std::string_view source_;
  CompilerText result_;
  std::array<char, kChunkBytes> chunk_;
  std::array<u32, kChunkBytes> chunk_lines_;  // A line has at least a byte.
};

}  // namespace

CompilerText Canonicalize(const TokenBuffer& tokens) { return CanonicalWriter(tokens).Write(); }

namespace {

// The loop has as few branches as can be: which token comes next is as good as random, and a
// branch on it costs more than all the rest.
CompilerText CanonicalWriter::Write() {
  result_.text.reserve(tokens_.end() - tokens_.begin() + 1);
  char* out = chunk_.data();
  u32* line = chunk_lines_.data();
  const char* const out_limit = chunk_.data() + kChunkBytes - kMargin;
  State state = kStartState;
  // Of parentheses and brackets, of braces of lists, and of an initializer.
  i32 depth = 0;
  for (const Token& token : tokens_.tokens()) {
    const Piece piece = kPieceOf[static_cast<std::size_t>(token.kind())];
    if (piece == Piece::kNothing) [[unlikely]]
      continue;
    Step step = kSteps[state][IndexOf(piece)];
    bool begins_line = state == kStartState;
    bool line_behind = piece == Piece::kSemicolon;
    const DepthChange change = kDepthChanges[IndexOf(piece)];
    depth = (depth + change.added) & ~change.dropped;
    if (step.gap > Gap::kBlank) [[unlikely]] {
      const Decision decision = Decide(state, depth, token, step.gap);
      depth += decision.depth_change;
      step.gap = decision.before;
      if (decision.before == Gap::kLine) {
        *out++ = '\n';
        step = {Gap::kNone, kSteps[kStartState][IndexOf(piece)].next};
        begins_line = true;
        depth = 0;
      }
      if (decision.line_behind) {
        line_behind = true;
        step.next = kStartState;
        depth = 0;
      }
    }
    *out = ' ';
    out += static_cast<std::size_t>(step.gap);
    *line = token.offset();
    line += begins_line;
    if (token.length() > kCopied || token.offset() + kCopied > source_.size() ||
        piece >= Piece::kString) [[unlikely]] {
      Flush(out, line);
      PutVerbatim(token);
      out = chunk_.data();
      line = chunk_lines_.data();
    } else {
      std::memcpy(out, source_.data() + token.offset(), kCopied);
      out += token.length();
    }
    *out = '\n';
    out += line_behind;
    state = step.next;
    if (out > out_limit) [[unlikely]] {
      Flush(out, line);
      out = chunk_.data();
      line = chunk_lines_.data();
    }
  }
  if (state != kStartState) *out++ = '\n';
  Flush(out, line);
  return std::move(result_);
}

Decision CanonicalWriter::Decide(State state, i32 depth, const Token& token, Gap gap) const {
  const Mode mode = ModeOf(state);
  const bool at_start = mode == Mode::kStart;
  const bool in_directive = mode == Mode::kDirective;
  switch (gap) {
    case Gap::kNone:
    case Gap::kBlank: return {.before = gap};
    case Gap::kMerge:
      // Braces behind the '=' of a declaration are no blocks.
      return {.before = WouldMerge(token) ? Gap::kBlank : Gap::kNone,
              .depth_change = in_directive && token.Is(TokenKind::kEqual) ? 1 : 0};
    case Gap::kStatement: {
      // Directives such as .version, .file and .loc end without a semicolon. ".align 8 .b8 x" goes
      // on: the token before the number tells.
      const bool goes_on = depth > 0 || tokens_.TextOf(Before(Before(token))) == ".align";
      return {.before = goes_on ? Gap::kBlank : Gap::kLine};
    }
    case Gap::kLine:
      return {.before = at_start ? Gap::kNone : Gap::kLine,
              .line_behind = token.Is(TokenKind::kSourceText)};
    case Gap::kColon:
      return {.before = !at_start && WouldMerge(token) ? Gap::kBlank : Gap::kNone,
              .line_behind = mode == Mode::kFirst && LastOf(state) == Piece::kName};
    case Gap::kBrace: {
      const bool opens = token.Is(TokenKind::kLeftBrace);
      const bool is_block = depth <= 0 && (at_start || in_directive || !opens);
      if (!is_block) return {.depth_change = opens ? 1 : -1};
      return {.before = at_start ? Gap::kNone : Gap::kLine, .line_behind = true};
    }
  }
  return {};
}

bool CanonicalWriter::WouldMerge(const Token& token) const {
  const Token& last = Before(token);
  const char left = source_[last.end() - 1];
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
      return last.Is(TokenKind::kDotWord) && token.Is(TokenKind::kColon) &&
             tokens_.TextOf(last).find(':') != source_.npos;
  }
}

const Token& CanonicalWriter::Before(const Token& token) const {
  const Token* const first = tokens_.tokens().data();
  const Token* before = &token;
  do {
    if (before == first) return token;
    --before;
  } while (before->Is(TokenKind::kLineMarker));
  return *before;
}

void CanonicalWriter::PutVerbatim(const Token& token) {
  const std::string_view text = tokens_.TextOf(token);
  result_.text.append(text);
  if (!token.Is(TokenKind::kString) && !token.Is(TokenKind::kSourceText)) return;
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    result_.line_offsets.push_back(token.offset() + static_cast<u32>(at) + 1);
}

void CanonicalWriter::Flush(const char* out, const u32* line) {
  result_.text.append(chunk_.data(), static_cast<std::size_t>(out - chunk_.data()));
  const u32* const first_line = chunk_lines_.data();
  result_.line_offsets.insert(result_.line_offsets.end(), first_line, line);
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
