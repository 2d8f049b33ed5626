#include "worker/ptxas/places.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "toolchain/ptx/lex.h"
#include "worker/ptxas/variables.h"

namespace ptxfarm::worker {
namespace {

using ptx::Token;
using ptx::TokenKind;

// Each costs a walk over the text; nobody reads more of them.
constexpr std::size_t kSearchesMax = 50;
// Variables that a limit names.
constexpr std::size_t kVariablesMax = 10;

// A text's tokens, and searches in them by index; end() is that of the last, kEnd.
class Finder {
 public:
  explicit Finder(const ptx::TokenBuffer& buffer) : buffer_(buffer), tokens_(buffer.tokens()) {}

  void Complete(Diagnostic& diagnostic, Subject subject, const std::string& name) const {
    switch (subject) {
      case Subject::kNone: return;
      case Subject::kEntry: return CompleteEntry(diagnostic, name);
      case Subject::kShared: return CompleteShared(diagnostic, name);
      case Subject::kConstants: return CompleteConstants(diagnostic);
      case Subject::kSymbol: return CompleteSymbol(diagnostic, name);
      case Subject::kPragma: return CompletePragma(diagnostic, name);
      case Subject::kFileIndex: return CompleteFileIndex(diagnostic, name);
    }
  }

 private:
  std::size_t end() const { return tokens_.size() - 1; }
  std::string_view Text(std::size_t i) const { return buffer_.TextOf(tokens_[i]); }
  Place PlaceOf(std::size_t i) const { return buffer_.PlaceOf(tokens_[i]); }
  bool Is(std::size_t i, TokenKind kind, std::string_view text) const {
    return tokens_[i].Is(kind) && Text(i) == text;
  }

  std::size_t FindName(std::string_view name, std::size_t from) const {
    while (from < end() && !Is(from, TokenKind::kName, name)) ++from;
    return from;
  }

  // The name of a kernel that has a body, or end().
  std::size_t FindEntry(std::string_view name) const {
    for (std::size_t i = 0; i < end(); ++i)
      if (Is(i, TokenKind::kDotWord, ".entry") && Is(i + 1, TokenKind::kName, name) &&
          BodyOf(i + 1).first != end())
        return i + 1;
    return end();
  }

  // The braces around the body of what is declared at `i`; end() twice where it has none.
  std::pair<std::size_t, std::size_t> BodyOf(std::size_t i) const {
    while (i < end() && !tokens_[i].Is(TokenKind::kLeftBrace) &&
           !tokens_[i].Is(TokenKind::kSemicolon))
      ++i;
    if (!tokens_[i].Is(TokenKind::kLeftBrace)) return {end(), end()};
    const std::size_t begin = i;
    std::size_t depth = 0;
    for (; i < end(); ++i) {
      if (tokens_[i].Is(TokenKind::kLeftBrace)) ++depth;
      if (tokens_[i].Is(TokenKind::kRightBrace) && --depth == 0) break;
    }
    return {begin, i};
  }

  void CompleteEntry(Diagnostic& diagnostic, std::string_view name) const {
    if (const std::size_t entry = FindEntry(name); entry != end())
      diagnostic.place = PlaceOf(entry);
  }

  void CompleteShared(Diagnostic& diagnostic, std::string_view name) const {
    const std::size_t entry = FindEntry(name);
    if (entry == end()) return;
    diagnostic.place = PlaceOf(entry);
    const auto [begin, last] = BodyOf(entry);
    Relate(diagnostic, VariablesOf(buffer_, ".shared", begin, last));
  }

  void CompleteConstants(Diagnostic& diagnostic) const {
    std::vector<Variable> variables = VariablesOf(buffer_, ".const", 0, end());
    if (variables.empty()) return;
    diagnostic.place = variables.front().place;
    Relate(diagnostic, std::move(variables));
  }

  static void Relate(Diagnostic& diagnostic, std::vector<Variable> variables) {
    variables.resize(std::min(variables.size(), kVariablesMax));
    for (const Variable& variable : variables)
      diagnostic.related.push_back(
          {.place = variable.place,
           .message =
               fmt::format("'{}' takes {} bytes", Shortened(variable.name), variable.bytes)});
  }

  // Marks the first use, and relates the declaration.
  void CompleteSymbol(Diagnostic& diagnostic, std::string_view name) const {
    const std::size_t declared = FindName(name, 0);
    if (declared == end()) return;
    diagnostic.place = PlaceOf(declared);
    const std::size_t used = FindName(name, declared + 1);
    if (used == end()) return;
    diagnostic.place = PlaceOf(used);
    diagnostic.related.push_back({.place = PlaceOf(declared), .message = "declared here"});
  }

  void CompletePragma(Diagnostic& diagnostic, std::string_view name) const {
    for (std::size_t i = 0; i < end(); ++i) {
      if (!Is(i, TokenKind::kDotWord, ".pragma") ||
          Text(i + 1).find(name) == std::string_view::npos)
        continue;
      diagnostic.place = PlaceOf(i);
      return;
    }
  }

  // Marks the second of the two, and relates the first.
  void CompleteFileIndex(Diagnostic& diagnostic, std::string_view number) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < end() && found.size() < 2; ++i)
      if (Is(i, TokenKind::kDotWord, ".file") && Text(i + 1) == number) found.push_back(i);
    if (found.size() < 2) return;
    const auto path = [this](std::size_t i) {
      return i + 2 < end() ? Shortened(Text(i + 2)) : std::string();
    };
    diagnostic.place = PlaceOf(found[1]);
    diagnostic.message += fmt::format("; here it is {}", path(found[1]));
    diagnostic.related.push_back(
        {.place = PlaceOf(found[0]), .message = fmt::format("here it is {}", path(found[0]))});
  }

  const ptx::TokenBuffer& buffer_;
  const std::span<const Token> tokens_;
};

void FindPlaces(std::vector<LoggedDiagnostic>& logged, std::string_view text) {
  const auto is_named = [](const LoggedDiagnostic& one) { return one.subject != Subject::kNone; };
  if (std::ranges::none_of(logged, is_named)) return;
  const ptx::Source source{.name = "", .text = text};
  const Result<ptx::TokenBuffer, Diagnostics> tokens = ptx::Lex(source);
  if (!tokens) return;
  const Finder finder(*tokens);
  std::size_t searches = 0;
  for (LoggedDiagnostic& one : logged)
    if (is_named(one) && ++searches <= kSearchesMax)
      finder.Complete(one.diagnostic, one.subject, one.name);
}

}  // namespace

Diagnostics DiagnosticsOf(std::vector<LoggedDiagnostic> logged, std::string_view text) {
  FindPlaces(logged, text);
  Diagnostics diagnostics;
  for (LoggedDiagnostic& one : logged) diagnostics.push_back(std::move(one.diagnostic));
  // By lines alone: where ptxas says two things of one line, the first is the fault.
  std::ranges::stable_sort(diagnostics, {},
                           [](const Diagnostic& diagnostic) { return diagnostic.place.line; });
  return diagnostics;
}

}  // namespace ptxfarm::worker
