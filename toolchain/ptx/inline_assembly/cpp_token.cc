#include "toolchain/ptx/inline_assembly/cpp_token.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ptxfarm::ptx {
namespace {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
// Bytes above 127 are letters: of names in UTF-8.
constexpr bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<u8>(c) >= 0x80;
}
constexpr bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

// What may stand in front of a string's quote: L, u8R …
bool IsStringPrefix(std::string_view word) {
  if (word.ends_with('R')) word.remove_suffix(1);
  return word.empty() || word == "L" || word == "u" || word == "U" || word == "u8";
}

class CppLexer {
 public:
  explicit CppLexer(std::string_view text) : text_(text) {}

  std::vector<CppToken> Run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (true) {
      SkipBlanks();
      if (at_ >= text_.size()) break;
      ReadToken();
    }
    if (is_in_define_) Add(CppTokenKind::kDirectiveEnd, at_);
    Add(CppTokenKind::kEnd, at_);
    return std::move(tokens_);
  }

 private:
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void Add(CppTokenKind kind, std::size_t begin) {
    tokens_.push_back({kind, static_cast<u32>(begin), static_cast<u32>(at_)});
  }

  // The length of a backslash with the line end behind it; 0 where none is.
  std::size_t SpliceAt(std::size_t at) const {
    if (at >= text_.size() || text_[at] != '\\') return 0;
    if (text_.substr(at + 1).starts_with('\n')) return 2;
    return text_.substr(at + 1).starts_with("\r\n") ? 3 : 0;
  }

  void SkipBlanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        if (is_in_define_) Add(CppTokenKind::kDirectiveEnd, at_);
        is_in_define_ = false;
        is_line_start_ = true;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0') {
        ++at_;
      } else if (const std::size_t splice = SpliceAt(at_)) {
        at_ += splice;
      } else if (c == '/' && Peek(1) == '/') {
        SkipLine();
      } else if (c == '/' && Peek(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  // To the line end, which stays; spliced lines are one.
  void SkipLine() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      const std::size_t splice = SpliceAt(at_);
      at_ += splice != 0 ? splice : 1;
    }
  }

  void ReadToken() {
    const bool is_line_start = std::exchange(is_line_start_, false);
    const std::size_t begin = at_;
    const char c = text_[at_];
    if (c == '#' && is_line_start && !is_in_define_) return ReadDirective();
    if (c == '"') return ReadString(begin, false);
    if (c == '\'') return ReadQuoted('\'', begin, CppTokenKind::kCharacter);
    if (IsNameStart(c)) {
      while (IsNamePart(Peek()) && at_ < text_.size()) ++at_;
      const std::string_view word = text_.substr(begin, at_ - begin);
      if (Peek() == '"' && IsStringPrefix(word)) return ReadString(begin, word.ends_with('R'));
      return Add(CppTokenKind::kName, begin);
    }
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return ReadNumber();
    ++at_;
    Add(CppTokenKind::kPunctuator, begin);
  }

  void ReadDirective() {
    const std::size_t begin = at_++;
    while (Peek() == ' ' || Peek() == '\t') ++at_;
    const std::size_t word = at_;
    while (at_ < text_.size() && IsNamePart(text_[at_])) ++at_;
    if (text_.substr(word, at_ - word) == "define") {
      is_in_define_ = true;
      return Add(CppTokenKind::kDefine, begin);
    }
    // A comment may go on over the line's end.
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '/' && Peek(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
        continue;
      }
      const std::size_t splice = SpliceAt(at_);
      at_ += splice != 0 ? splice : 1;
    }
    Add(CppTokenKind::kDirective, begin);
  }

  void ReadString(std::size_t begin, bool is_raw) {
    if (!is_raw) return ReadQuoted('"', begin, CppTokenKind::kString);
    // R"delimiter( … )delimiter"
    constexpr std::size_t kDelimiterMax = 16;
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos || open - at_ - 1 > kDelimiterMax)
      return ReadQuoted('"', begin, CppTokenKind::kString);
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + '"';
    const std::size_t end = text_.find(close, open + 1);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
    Add(CppTokenKind::kString, begin);
  }

  void ReadQuoted(char quote, std::size_t begin, CppTokenKind kind) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      const std::size_t splice = SpliceAt(at_);
      at_ += splice != 0 ? splice : text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
    if (Peek() == quote && at_ < text_.size()) ++at_;
    Add(kind, begin);
  }

  // A preprocessing number: 1'000u, 0x1p-3f.
  void ReadNumber() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool is_sign = (c == '+' || c == '-') && at_ > begin &&
                           std::string_view("eEpP").find(text_[at_ - 1]) != std::string_view::npos;
      const bool is_separator = c == '\'' && IsNamePart(Peek(1));
      if (!IsNamePart(c) && c != '.' && !is_sign && !is_separator) break;
      ++at_;
    }
    Add(CppTokenKind::kNumber, begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_line_start_ = true;
  bool is_in_define_ = false;
  std::vector<CppToken> tokens_;
};

}  // namespace

std::vector<CppToken> LexCpp(std::string_view text) { return CppLexer(text).Run(); }

}  // namespace ptxfarm::ptx
