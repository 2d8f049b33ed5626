// Printing goes by tokens: a statement is the tokens up to the next one, so that none is lost, and
// the tree says where lines break and which words belong together.
#include "toolchain/ptx/print.h"

#include <algorithm>

namespace ptxfarm::ptx {
namespace {

constexpr std::size_t kColumnsMax = 100;

class Printer {
 public:
  Printer(const Module& module, const PrintOptions& options)
      : module_(module), options_(options), tokens_(module.tokens->tokens()) {}

  std::string Print();

 private:
  void PrintHeader();
  void PrintStatement(std::size_t index);
  void PrintFunction(const Function& function, u32 begin, u32 end);
  void PrintInstruction(const Instruction& instruction, u32 begin, u32 end);
  void PrintSection(const Section& section, u32 begin, u32 end);
  void PrintSourceSection(u32 begin, u32 end);
  // The tokens from `begin` to `end` on the line at hand. Lists longer than a line are wrapped.
  void PrintTokens(u32 begin, u32 end);
  void PrintToken(const Token& token, bool joins);
  bool NeedsBlank(const Token& token) const;

  void BeginLine(u32 depth);
  void EndLine() { text_ += '\n'; }
  // Comments between the tokens `begin - 1` and `end`.
  void PrintComments(u32 begin, u32 end);
  void PrintCommentsOf(std::string_view gap, bool may_trail);

  const Module& module_;
  const PrintOptions& options_;
  std::span<const Token> tokens_;
  std::string text_;
  std::size_t line_begin_ = 0;
  u32 depth_ = 0;
  bool is_first_ = true;  // Of its line.
  TokenKind last_ = TokenKind::kEnd;
  bool last_is_sign_ = false;  // Unary: what follows joins it.
};

bool IsInvisible(const Token& token) {
  return token.Is(TokenKind::kLineMarker) || token.Is(TokenKind::kBackslash);
}

bool IsOperand(TokenKind kind) {
  return kind == TokenKind::kName || kind == TokenKind::kInteger || kind == TokenKind::kFloat ||
         kind == TokenKind::kRightParen || kind == TokenKind::kRightBracket ||
         kind == TokenKind::kRightBrace || kind == TokenKind::kGreater;
}

bool IsWordy(TokenKind kind) {
  return kind == TokenKind::kName || kind == TokenKind::kInteger || kind == TokenKind::kFloat ||
         kind == TokenKind::kDotWord || kind == TokenKind::kString ||
         kind == TokenKind::kSourceText;
}

std::string Printer::Print() {
  text_.reserve(module_.tokens->source().text.size());
  PrintHeader();
  for (std::size_t i = 0; i < module_.statements.size(); ++i) {
    // One declaration of several names is a statement for each.
    const bool is_same = i > 0 && module_.statements[i].token == module_.statements[i - 1].token &&
                         module_.statements[i].kind == StatementKind::kVariable;
    if (!is_same) PrintStatement(i);
  }
  return std::move(text_);
}

void Printer::PrintHeader() {
  const u32 end = module_.statements.empty() ? static_cast<u32>(tokens_.size() - 1)
                                             : module_.statements[0].token.index;
  PrintComments(0, 0);
  for (u32 i = 0; i < end;) {
    u32 next = i + 1;
    while (next < end && !tokens_[next].Is(TokenKind::kDotWord)) ++next;
    BeginLine(0);
    PrintTokens(i, next);
    EndLine();
    i = next;
  }
}

void Printer::PrintStatement(std::size_t index) {
  const Statement& statement = module_.statements[index];
  const u32 begin = statement.token.index;
  u32 end = static_cast<u32>(tokens_.size() - 1);
  for (std::size_t next = index + 1; next < module_.statements.size(); ++next) {
    if (module_.statements[next].token == statement.token) continue;
    end = module_.statements[next].token.index;
    break;
  }
  PrintComments(begin, end - 1);
  switch (statement.kind) {
    case StatementKind::kFunction:
      return PrintFunction(module_.functions[statement.index], begin, end);
    case StatementKind::kSection:
      return PrintSection(module_.sections[statement.index], begin, end);
    case StatementKind::kSourceSection: return PrintSourceSection(begin, end);
    case StatementKind::kInstruction:
      return PrintInstruction(module_.instructions[statement.index], begin, end);
    case StatementKind::kBlockEnd: --depth_; break;
    default: break;
  }
  BeginLine(statement.kind == StatementKind::kLabel ? 0 : depth_);
  PrintTokens(begin, end);
  EndLine();
  if (statement.kind == StatementKind::kBlockBegin) ++depth_;
}

void Printer::PrintFunction(const Function& function, u32 begin, u32 end) {
  EndLine();
  BeginLine(0);
  const bool is_long = function.parameters.size() > 1;
  bool is_in_parameters = false;
  for (u32 i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    if (IsInvisible(token)) continue;
    const bool is_directive =
        std::any_of(module_.directives.begin() + function.directives.begin,
                    module_.directives.begin() + function.directives.end,
                    [&](const FunctionDirective& directive) { return directive.word.index == i; });
    if (is_directive || (is_long && is_in_parameters && token.Is(TokenKind::kRightParen))) {
      EndLine();
      BeginLine(0);
      is_in_parameters = false;
    }
    PrintToken(token, false);
    const bool opens = token.Is(TokenKind::kLeftParen) && i > function.name.index;
    if (opens) is_in_parameters = true;
    if (is_long && is_in_parameters && (opens || token.Is(TokenKind::kComma))) {
      EndLine();
      BeginLine(1);
    }
  }
  EndLine();
}

void Printer::PrintInstruction(const Instruction& instruction, u32 begin, u32 end) {
  BeginLine(depth_);
  PrintTokens(begin, instruction.opcode.index);
  const u32 words_end = instruction.opcode.index + instruction.word_count;
  for (u32 i = instruction.opcode.index; i < words_end; ++i)
    if (!IsInvisible(tokens_[i])) PrintToken(tokens_[i], i > instruction.opcode.index);
  for (u32 i = words_end; i < end; ++i) {
    const Token& token = tokens_[i];
    if (IsInvisible(token)) continue;
    // Behind the mnemonic everything is an operand, whatever its first token.
    if (i == words_end && !token.Is(TokenKind::kSemicolon)) {
      text_ += ' ';
      is_first_ = true;
      last_ = TokenKind::kComma;
    }
    // A dotted word is a part of the operand in front of it.
    PrintToken(token,
               token.Is(TokenKind::kDotWord) && !last_is_sign_ && last_ != TokenKind::kLeftParen);
  }
  EndLine();
}

void Printer::PrintSection(const Section& section, u32 begin, u32 end) {
  BeginLine(0);
  const std::span<const SectionLine> lines = Module::Of(module_.section_lines, section.lines);
  u32 i = begin;
  for (const SectionLine& line : lines) {
    PrintTokens(i, line.word.index);
    EndLine();
    BeginLine(1);
    i = line.word.index;
  }
  // The last line ends before the '}'.
  u32 close = end;
  while (close > i && !tokens_[close - 1].Is(TokenKind::kRightBrace)) --close;
  PrintTokens(i, close - 1);
  EndLine();
  BeginLine(0);
  PrintTokens(close - 1, end);
  EndLine();
}

void Printer::PrintSourceSection(u32 begin, u32 end) {
  u32 depth = 0;
  for (u32 i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    if (IsInvisible(token)) continue;
    const std::string_view word = module_.tokens->TextOf(token);
    if (token.Is(TokenKind::kRightBrace) && depth > 0) --depth;
    const bool breaks = i == begin || word == ".code_block" || word == ".ir_name" ||
                        word == ".sourceFileName" || token.Is(TokenKind::kRightBrace) ||
                        token.Is(TokenKind::kSourceText);
    if (breaks && i > begin) EndLine();
    if (breaks) BeginLine(depth);
    PrintToken(token, false);
    if (token.Is(TokenKind::kLeftBrace)) ++depth;
  }
  EndLine();
}

void Printer::PrintTokens(u32 begin, u32 end) {
  for (u32 i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    if (IsInvisible(token)) continue;
    const bool is_late = text_.size() - line_begin_ + token.length() > kColumnsMax;
    if (is_late && last_ == TokenKind::kComma) {
      EndLine();
      BeginLine(depth_ + 1);
    }
    PrintToken(token, false);
  }
}

void Printer::PrintToken(const Token& token, bool joins) {
  const TokenKind kind = token.kind();
  const bool is_sign =
      kind == TokenKind::kAt || kind == TokenKind::kTilde || kind == TokenKind::kBang ||
      ((kind == TokenKind::kMinus || kind == TokenKind::kPlus) && !IsOperand(last_));
  if (!joins && !is_first_ && !last_is_sign_ && NeedsBlank(token)) text_ += ' ';
  text_ += module_.tokens->TextOf(token);
  last_is_sign_ = is_sign;
  is_first_ = false;
  last_ = kind;
}

bool Printer::NeedsBlank(const Token& token) const {
  switch (token.kind()) {
    case TokenKind::kComma:
    case TokenKind::kSemicolon:
    case TokenKind::kColon:
    case TokenKind::kRightParen:
    case TokenKind::kRightBracket:
    case TokenKind::kRightBrace: return false;
    case TokenKind::kEqual:
    case TokenKind::kPercent: return true;  // "7%3" is 7 and a name.
    case TokenKind::kLeftParen:
      return last_ == TokenKind::kComma || last_ == TokenKind::kDotWord ||
             last_ == TokenKind::kEqual;
    case TokenKind::kLeftBracket: return last_ == TokenKind::kComma;
    default: break;
  }
  switch (last_) {
    case TokenKind::kLeftParen:
    case TokenKind::kLeftBracket:
    case TokenKind::kLeftBrace:
    case TokenKind::kEnd: return false;
    case TokenKind::kComma:
    case TokenKind::kColon:
    case TokenKind::kEqual:
    case TokenKind::kPercent:
    case TokenKind::kDwarfMarker: return true;
    default: break;
  }
  if (token.Is(TokenKind::kLeftBrace)) return true;
  if (last_ == TokenKind::kRightParen || last_ == TokenKind::kRightBracket ||
      last_ == TokenKind::kRightBrace)
    return IsWordy(token.kind());
  return IsWordy(token.kind()) && IsWordy(last_);
}

void Printer::BeginLine(u32 depth) {
  line_begin_ = text_.size();
  text_.append(depth, '\t');
  is_first_ = true;
  last_ = TokenKind::kEnd;
  last_is_sign_ = false;
}

// The gap in front of the first token may hold a comment on the line of the statement before.
void Printer::PrintComments(u32 begin, u32 end) {
  if (!options_.keeps_comments) return;
  const std::string_view text = module_.tokens->source().text;
  for (u32 i = begin; i <= end; ++i) {
    const u32 gap_begin = i == 0 ? module_.tokens->begin() : tokens_[i - 1].end();
    const u32 gap_end = tokens_[i].offset();
    if (gap_end - gap_begin > 1)
      PrintCommentsOf(text.substr(gap_begin, gap_end - gap_begin), i == begin && i > 0);
  }
}

void Printer::PrintCommentsOf(std::string_view gap, bool may_trail) {
  for (std::size_t at = gap.find('/'); at < gap.size(); at = gap.find('/', at)) {
    const bool is_line = gap.substr(at).starts_with("//");
    if (!is_line && !gap.substr(at).starts_with("/*")) {
      ++at;
      continue;
    }
    std::size_t end = is_line ? gap.find('\n', at) : gap.find("*/", at + 2);
    end = end == std::string_view::npos ? gap.size() : is_line ? end : end + 2;
    std::string_view comment = gap.substr(at, end - at);
    while (!comment.empty() && (comment.back() == '\r' || comment.back() == ' '))
      comment.remove_suffix(1);
    const bool trails = may_trail && gap.substr(0, at).find('\n') == std::string_view::npos;
    if (trails && !text_.empty()) {
      text_.back() = ' ';  // The line end of the statement before.
    } else {
      BeginLine(depth_);
    }
    text_ += comment;
    EndLine();
    at = end;
  }
}

}  // namespace

std::string Print(const Module& module, const PrintOptions& options) {
  return Printer(module, options).Print();
}

}  // namespace ptxfarm::ptx
