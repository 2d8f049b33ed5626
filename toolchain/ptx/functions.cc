// Statements of the module by their first words, bodies by their braces.
#include "toolchain/ptx/functions.h"

#include <algorithm>
#include <optional>

namespace ptxfarm::ptx {
namespace {

class FunctionReader {
 public:
  FunctionReader(TokenCursor& cursor, ErrorList& errors) : cursor_(cursor), errors_(errors) {}

  std::vector<FunctionHeader> Read();

 private:
  void ReadFunction(bool is_entry, Linkage linkage);
  // True where what stands at the name is one; reports where it isn't.
  bool CheckName(bool is_entry);
  // From behind the name to behind the declaration or the body; true where there is a body.
  bool SkipRest();
  // From an opening token to behind its partner, whatever stands between.
  void SkipParens();
  void SkipBraces();
  // A pragma of a function ends with a semicolon that doesn't end the declaration.
  void SkipPragma();

  TokenCursor& cursor_;
  ErrorList& errors_;
  std::vector<FunctionHeader> functions_;
};

std::optional<Linkage> LinkageOf(std::string_view word) {
  if (word == ".visible") return Linkage::kVisible;
  if (word == ".extern") return Linkage::kExtern;
  if (word == ".weak") return Linkage::kWeak;
  return std::nullopt;
}

// PTX ISA 9.4 §11.2, §11.4, §11.7, §11.8: what may stand between a function's name and its body.
bool IsFunctionDirective(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      ".maxnreg",        ".maxntid",         ".reqntid",
      ".minnctapersm",   ".maxnctapersm",    ".noreturn",
      ".pragma",         ".abi_preserve",    ".abi_preserve_control",
      ".language",       ".minperctamemory", ".reqnctapercluster",
      ".maxclusterrank", ".explicitcluster", ".blocksareclusters",
  };
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// What begins a statement of a module and stands nowhere between a function's name and its body:
// ptxas accepts a prototype without its semicolon, and then the next statement ends it.
bool BeginsStatement(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      ".entry",  ".func",  ".visible", ".extern",  ".weak", ".common",
      ".global", ".const", ".shared",  ".section", ".file", ".alias",
  };
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

std::vector<FunctionHeader> ReadFunctions(TokenCursor& cursor, ErrorList& errors) {
  return FunctionReader(cursor, errors).Read();
}

namespace {

std::vector<FunctionHeader> FunctionReader::Read() {
  Linkage linkage = Linkage::kNone;
  while (!cursor_.AtEnd()) {
    switch (cursor_.Peek().kind()) {
      case TokenKind::kDotWord: {
        const std::string_view word = cursor_.Text();
        if (const std::optional<Linkage> found = LinkageOf(word)) linkage = *found;
        cursor_.Advance();
        if (word != ".entry" && word != ".func") break;
        ReadFunction(word == ".entry", linkage);
        linkage = Linkage::kNone;
        break;
      }
      case TokenKind::kSemicolon:
        linkage = Linkage::kNone;
        cursor_.Advance();
        break;
      case TokenKind::kLeftBrace:
        linkage = Linkage::kNone;
        SkipBraces();
        break;
      case TokenKind::kRightBrace:
        errors_.Report<kinds::kUnopenedBrace>(cursor_.Peek().offset());
        cursor_.Advance();
        break;
      default: cursor_.Advance();
    }
  }
  return std::move(functions_);
}

void FunctionReader::ReadFunction(bool is_entry, Linkage linkage) {
  if (cursor_.AtDotWord(".attribute")) {
    cursor_.Advance();
    SkipParens();
  }
  SkipParens();  // The result of a function.
  if (!CheckName(is_entry)) return;
  FunctionHeader function{.name = cursor_.Text(),
                          .offset = cursor_.Peek().offset(),
                          .is_entry = is_entry,
                          .linkage = linkage};
  cursor_.Advance();
  function.is_defined = SkipRest();
  functions_.push_back(function);
}

bool FunctionReader::CheckName(bool is_entry) {
  const Token name = cursor_.Peek();
  if (!name.Is(TokenKind::kName)) {
    errors_.Report<kinds::kBadName>(name.offset(), is_entry ? ".entry" : ".func", cursor_.Shown());
    return false;
  }
  // A mangler may have kept dots: then a dotted word, or a dot alone, touches the name. Directives
  // may touch it too: ".entry k.maxntid 64".
  TokenCursor after = cursor_;
  after.Advance();
  const bool touches = after.Peek().offset() == name.end();
  const bool is_dot = after.At(TokenKind::kDot) || after.At(TokenKind::kFloat);
  const bool is_word = after.At(TokenKind::kDotWord) && !IsFunctionDirective(after.Text());
  if (!touches || !(is_dot || is_word)) return true;

  const std::string_view rest = cursor_.buffer().source().text.substr(name.offset());
  const std::size_t length = std::min(rest.find_first_of(" \t\r\n\f({;/"), rest.size());
  errors_.Report<kinds::kDottedName>(name.end(), Shortened(rest.substr(0, length)));
  return true;
}

bool FunctionReader::SkipRest() {
  while (!cursor_.AtEnd()) {
    switch (cursor_.Peek().kind()) {
      case TokenKind::kSemicolon: cursor_.Advance(); return false;
      case TokenKind::kLeftBrace: SkipBraces(); return true;
      case TokenKind::kRightBrace: return false;  // Reported by the caller.
      case TokenKind::kLeftParen: SkipParens(); break;
      case TokenKind::kDotWord:
        if (BeginsStatement(cursor_.Text())) return false;
        if (cursor_.AtDotWord(".pragma"))
          SkipPragma();
        else
          cursor_.Advance();
        break;
      default: cursor_.Advance();
    }
  }
  return false;
}

void FunctionReader::SkipParens() {
  u32 depth = 0;
  while (!cursor_.AtEnd() && !cursor_.At(TokenKind::kLeftBrace)) {
    if (cursor_.At(TokenKind::kLeftParen)) ++depth;
    if (cursor_.At(TokenKind::kRightParen) && depth > 0) {
      --depth;
      cursor_.Advance();
      if (depth == 0) return;
      continue;
    }
    if (depth == 0) return;
    cursor_.Advance();
  }
}

void FunctionReader::SkipPragma() {
  do {
    cursor_.Advance();
  } while (cursor_.At(TokenKind::kString) || cursor_.At(TokenKind::kComma));
  cursor_.AdvanceIf(TokenKind::kSemicolon);
}

void FunctionReader::SkipBraces() {
  const u32 opening = cursor_.Peek().offset();
  u32 depth = 0;
  while (!cursor_.AtEnd()) {
    if (cursor_.At(TokenKind::kLeftBrace)) ++depth;
    if (cursor_.At(TokenKind::kRightBrace)) --depth;
    cursor_.Advance();
    if (depth == 0) return;
  }
  errors_.Report<kinds::kUnclosedBrace>(opening);
}

}  // namespace
}  // namespace ptxfarm::ptx
