#include "toolchain/object/fatbin/ptx_text.h"

namespace ptxfarm::object::fatbin {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }
bool IsSpace(char c) { return IsBlank(c) || (c >= '\n' && c <= '\r'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The end of the literal that begins at `at`: behind the next quote without a backslash before it.
std::size_t EndOfLiteral(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && !(text[end] == '"' && text[end - 1] != '\\')) ++end;
  return end < text.size() ? end + 1 : end;
}

std::size_t EndOfLineComment(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_of("\r\n", at);
  return end == std::string_view::npos ? text.size() : end;
}

// Searched from the byte after the slash, so that "/*/" is a whole comment.
std::size_t EndOfBlockComment(std::string_view text, std::size_t at) {
  const std::size_t end = text.find("*/", at + 1);
  return end == std::string_view::npos ? text.size() : end + 2;
}

}  // namespace

std::string RewritePtx(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  char previous = 0;  // The byte of the text, not of the output, before `at`.
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t end = at + 1;
    if (c == '"' && previous != '\\') {
      end = EndOfLiteral(text, at);
      out += text.substr(at, end - at);
    } else if (text.substr(at).starts_with("//")) {
      end = EndOfLineComment(text, at);
    } else if (text.substr(at).starts_with("/*")) {
      end = EndOfBlockComment(text, at);
    } else if (!(IsBlank(c) && IsSpace(previous))) {
      out += c;
    }
    previous = text[end - 1];
    at = end;
  }
  return out;
}

std::optional<PtxTextVersion> VersionOfPtx(std::string_view text) {
  constexpr std::string_view kDirective = ".version";
  const std::size_t found = text.find(kDirective);
  if (found == std::string_view::npos) return std::nullopt;
  std::size_t at = found + kDirective.size();
  const std::size_t blanks = at;
  while (at < text.size() && IsSpace(text[at])) ++at;
  const std::size_t digits = at;
  u32 major = 0;
  while (at < text.size() && IsDigit(text[at]) && major <= 0xffff)
    major = major * 10 + static_cast<u32>(text[at++] - '0');
  if (blanks == digits || digits == at || major > 0xffff) return std::nullopt;
  if (at + 1 >= text.size() || text[at] != '.' || !IsDigit(text[at + 1])) return std::nullopt;
  return PtxTextVersion{.major = static_cast<u16>(major),
                        .minor = static_cast<u16>(text[at + 1] - '0')};
}

}  // namespace ptxfarm::object::fatbin
