#include "toolchain/ptx/inline_assembly/find_statements.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/limits.h"
#include "base/text.h"
#include "toolchain/ptx/inline_assembly/cpp_token.h"
#include "toolchain/ptx/inline_assembly/host_assembly.h"
#include "toolchain/ptx/inline_assembly/string_literal.h"

namespace ptxfarm::ptx {
namespace {

using enum CppTokenKind;

constexpr Limit kTemplateBytesMax{"asm_template_bytes_max", 1 << 20,
                                  "of one template, its macros expanded"};

constexpr std::string_view kConditionals[] = {"NV_IF_TARGET", "NV_IF_ELSE_TARGET",
                                              "NV_DISPATCH_TARGET", "_NV_IF_TARGET"};

class Finder {
 public:
  explicit Finder(std::string_view source) : source_(source), tokens_(LexCpp(source)) {}

  AsmStatements Run() {
    if (Now().Is(kString)) {
      ReadBare();
      return std::move(statements_);
    }
    while (!Now().Is(kEnd)) {
      if (Now().Is(kDefine)) {
        ReadDefine();
      } else if (Now().Is(kDirective)) {
        ReadDirective();
      } else if (IsAsm()) {
        ReadAsm();
      } else {
        FollowConditional();
        ++at_;
      }
    }
    return std::move(statements_);
  }

 private:
  const CppToken& Now() const { return tokens_[at_]; }
  const CppToken& Ahead(std::size_t count) const {
    return tokens_[std::min(at_ + count, tokens_.size() - 1)];
  }
  std::string_view TextOf(const CppToken& token) const {
    return source_.substr(token.begin, token.end - token.begin);
  }
  bool IsPunctuator(char c) const { return Now().Is(kPunctuator) && source_[Now().begin] == c; }
  bool IsWord(std::string_view a, std::string_view b, std::string_view c = {}) const {
    const std::string_view text = TextOf(Now());
    return Now().Is(kName) && (text == a || text == b || (text == c && !c.empty()));
  }
  bool IsAsm() const { return IsWord("asm", "__asm", "__asm__"); }

  // ---- Around statements ------------------------------------------------------------------------

  // #define NAME "strings": remembered. Of several under conditions the first, but that a pointer
  // is "l" wherever a host of 32 bits has "r". The tokens of all others are read as code.
  void ReadDefine() {
    ++at_;
    if (!Now().Is(kName)) return;
    const std::string_view name = TextOf(Now());
    const bool is_function =
        Ahead(1).Is(kPunctuator) && source_[Ahead(1).begin] == '(' && Ahead(1).begin == Now().end;
    ++at_;
    if (is_function) return;
    std::size_t end = at_;
    while (tokens_[end].Is(kString)) ++end;
    if (end == at_ || !tokens_[end].Is(kDirectiveEnd)) return;
    MappedText text;
    for (; at_ < end; ++at_) AppendLiteral(source_, {Now().begin, Now().end}, text);
    const auto [macro, is_first] = macros_.try_emplace(name);
    if (is_first || text.text() == "l") macro->second = std::move(text);
  }

  void ReadDirective() {
    const std::string_view line = TextOf(Now());
    std::string_view word = line.substr(1);
    word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size()));
    const bool asks = line.find("__CUDA_ARCH") != line.npos || line.find("_SM_") != line.npos ||
                      line.find("PROVIDES_SM") != line.npos;
    if (word.starts_with("if")) {
      conditions_.push_back(asks);
    } else if (word.starts_with("elif") && !conditions_.empty()) {
      conditions_.back() = conditions_.back() || asks;
    } else if (word.starts_with("endif") && !conditions_.empty()) {
      conditions_.pop_back();
    } else if (word.starts_with("undef")) {
      word.remove_prefix(5);
      word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size()));
      macros_.erase(word.substr(0, word.find_first_of(" \t\r/")));
    }
    ++at_;
  }

  // Keeps count of the parentheses of NV_IF_TARGET(…, (…)).
  void FollowConditional() {
    if (conditional_depth_ > 0) {
      if (IsPunctuator('(')) ++conditional_depth_;
      if (IsPunctuator(')') && --conditional_depth_ == 1) conditional_depth_ = 0;
    } else if (Now().Is(kName) && std::ranges::count(kConditionals, TextOf(Now())) > 0) {
      conditional_depth_ = 1;
    }
  }

  bool IsConditional() const {
    return conditional_depth_ > 0 || std::ranges::count(conditions_, true) > 0;
  }

  // ---- One statement ----------------------------------------------------------------------------

  void ReadBare() {
    AsmStatement statement{.span = {Now().begin, Now().begin}};
    if (!ReadParts(statement) || (!Now().Is(kEnd) && !IsPunctuator(';'))) {
      if (why_.empty()) why_ = "it is no template with its operands";
      return Skip(statement.span.begin, Now().end);
    }
    statement.span.end = tokens_[at_ == 0 ? 0 : at_ - 1].end;
    Keep(std::move(statement));
  }

  void ReadAsm() {
    const u32 begin = Now().begin;
    AsmStatement statement{.span = {begin, begin}, .is_conditional = IsConditional()};
    ++at_;
    while (Now().Is(kName)) {
      if (IsWord("volatile", "__volatile__", "__volatile"))
        statement.is_volatile = true;
      else if (!IsWord("goto", "inline", "__inline__"))
        return;
      ++at_;
    }
    if (!IsPunctuator('(')) return;
    ++at_;
    const std::size_t inside = at_;
    why_.clear();
    if (!ReadParts(statement) || !IsPunctuator(')')) {
      if (why_.empty()) why_ = "its parts can't be told apart";
      Skip(begin, tokens_[at_ - 1].end);
      at_ = std::max(at_, inside);
      return;
    }
    statement.span.end = Now().end;
    ++at_;
    // int x asm("name"): the name of a variable or function in the object, no statement.
    const bool is_label =
        !statement.has_operand_list && !statement.is_volatile && IsLabel(statement.text.text());
    if (!is_label) Keep(std::move(statement));
  }

  static bool IsLabel(std::string_view text) {
    return !text.empty() && text.find_first_of("; \t\n{}:,%") == text.npos;
  }

  void Keep(AsmStatement statement) {
    if (IsHostAssembly(statement))
      statements_.skipped.push_back({statement.span, "it is assembly of the host"});
    else
      statements_.found.push_back(std::move(statement));
  }
  void Skip(u32 begin, u32 end) { statements_.skipped.push_back({{begin, end}, why_}); }

  // From the template on to the closing parenthesis, which stays.
  bool ReadParts(AsmStatement& statement) {
    if (!ReadStrings(statement.text)) return false;
    if (!IsPunctuator(':')) return true;
    statement.has_operand_list = true;
    enum { kOutputs, kInputs, kClobbers, kLabels };
    for (int part = kOutputs; IsPunctuator(':'); ++part) {
      ++at_;
      if (part > kLabels) return false;
      if (IsPunctuator(':') || IsPunctuator(')') || Now().Is(kEnd)) continue;
      const bool is_read = part <= kInputs     ? ReadOperands(statement, part == kOutputs)
                           : part == kClobbers ? ReadClobbers(statement)
                                               : SkipExpression();
      if (!is_read) return false;
    }
    return true;
  }

  // Strings, and macros that are strings, side by side: at least one.
  bool ReadStrings(MappedText& text) {
    const std::size_t first = at_;
    for (; Now().Is(kString) || Now().Is(kName); ++at_) {
      if (Now().Is(kString)) {
        AppendLiteral(source_, {Now().begin, Now().end}, text);
        continue;
      }
      const auto macro = macros_.find(TextOf(Now()));
      if (macro == macros_.end()) {
        why_ = fmt::format("'{}' makes a part of it", Shortened(TextOf(Now())));
        return false;
      }
      text.AppendFor(macro->second.text(), {Now().begin, Now().end});
      if (text.size() > kTemplateBytesMax.value) {
        why_ = fmt::format("its template is larger than {}", kTemplateBytesMax.name);
        return false;
      }
    }
    if (Now().Is(kDirective)) why_ = "a line of the preprocessor stands inside";
    if (IsPunctuator('#')) why_ = "a parameter of a macro makes a part of it";
    if (at_ == first && why_.empty()) why_ = "its template is no string";
    return at_ > first && why_.empty();
  }

  bool ReadOperands(AsmStatement& statement, bool are_outputs) {
    while (true) {
      AsmOperand operand{
          .constraint = {}, .span = {Now().begin, Now().begin}, .is_output = are_outputs};
      MappedText constraint;
      if (!ReadStrings(constraint)) return false;
      operand.constraint = constraint.text();
      operand.span.end = tokens_[at_ - 1].end;
      if (!IsPunctuator('(')) return false;
      const std::size_t open = at_++;
      if (!SkipExpression() || !IsPunctuator(')')) return false;
      operand.value = LiteralBetween(open + 1, at_);
      ++at_;
      statement.operands.push_back(std::move(operand));
      if (!IsPunctuator(',')) return true;
      ++at_;
    }
  }

  bool ReadClobbers(AsmStatement& statement) {
    while (true) {
      MappedText clobber;
      if (!ReadStrings(clobber)) return false;
      statement.clobbers.push_back(clobber.text());
      if (!IsPunctuator(',')) return true;
      ++at_;
    }
  }

  // To the parenthesis that closes what is open.
  bool SkipExpression() {
    for (u32 depth = 0;; ++at_) {
      if (Now().Is(kEnd) || Now().Is(kDirectiveEnd)) return false;
      if (Now().Is(kDirective)) {
        why_ = "a line of the preprocessor stands inside";
        return false;
      }
      if (!Now().Is(kPunctuator)) continue;
      const char c = source_[Now().begin];
      if (c == ')' && depth == 0) return true;
      if (c == '(') ++depth;
      if (c == ')') --depth;
    }
  }

  // A number, perhaps with '-', or a string; its text without the suffix of C++.
  std::optional<std::string> LiteralBetween(std::size_t first, std::size_t last) const {
    std::string sign;
    if (first < last && TextOf(tokens_[first]) == "-") {
      sign = "-";
      ++first;
    }
    if (last - first != 1) return std::nullopt;
    const CppToken& token = tokens_[first];
    if (token.Is(kString) && sign.empty()) {
      MappedText text;
      AppendLiteral(source_, {token.begin, token.end}, text);
      return text.text();
    }
    if (!token.Is(kNumber)) return std::nullopt;
    std::string number(TextOf(token));
    std::erase(number, '\'');
    while (!number.empty() &&
           std::string_view("uUlL").find(number.back()) != std::string_view::npos)
      number.pop_back();
    const bool is_hex = number.starts_with("0x") || number.starts_with("0X");
    const std::size_t odd =
        number.find_first_not_of(is_hex ? "xX0123456789abcdefABCDEF" : "bB0123456789");
    if (number.empty() || odd != std::string::npos) return std::nullopt;
    return sign + number;
  }

  std::string_view source_;
  std::vector<CppToken> tokens_;
  std::size_t at_ = 0;
  std::unordered_map<std::string_view, MappedText> macros_;
  std::vector<bool> conditions_;  // A #if each: whether it asks for the architecture.
  u32 conditional_depth_ = 0;
  std::string why_;
  AsmStatements statements_;
};

}  // namespace

AsmStatements FindAsmStatements(std::string_view source) { return Finder(source).Run(); }

}  // namespace ptxfarm::ptx
