#include "toolchain/ptx/inline_assembly/string_literal.h"

#include <algorithm>

namespace ptxfarm::ptx {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

char SimpleEscape(char c) {
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'v': return '\v';
    case 'f': return '\f';
    case 'a': return '\a';
    case 'b': return '\b';
    default: return c;  // \\ \" \' \? stand for themselves.
  }
}

// One escape, `at` at its backslash; leaves `at` behind it. A splice stands for nothing.
void AppendEscape(std::string_view source, u32 end, u32* at, MappedText& text) {
  const u32 begin = (*at)++;
  if (*at >= end) return;
  const char c = source[(*at)++];
  if (c == '\n') return;
  if (c == '\r' && *at < end && source[*at] == '\n') {
    ++*at;
    return;
  }
  u32 value = 0;
  if (c == 'x') {
    for (; *at < end && HexDigit(source[*at]) >= 0; ++*at)
      value = value * 16 + static_cast<u32>(HexDigit(source[*at]));
  } else if (c >= '0' && c <= '7') {
    value = static_cast<u32>(c - '0');
    for (int digits = 1; digits < 3 && *at < end && source[*at] >= '0' && source[*at] <= '7';
         ++digits)
      value = value * 8 + static_cast<u32>(source[(*at)++] - '0');
  } else {
    value = static_cast<u8>(SimpleEscape(c));
  }
  const char byte = static_cast<char>(value & 0xFF);
  text.AppendFor(std::string_view(&byte, 1), {begin, *at});
}

}  // namespace

void AppendLiteral(std::string_view source, SourceSpan literal, MappedText& text) {
  const std::size_t quote = source.find('"', literal.begin);
  if (quote >= literal.end) return;
  u32 at = static_cast<u32>(quote) + 1;
  u32 end = literal.end;
  if (quote > literal.begin && source[quote - 1] == 'R') {
    const std::size_t open = source.find('(', at);
    if (open >= literal.end) return;
    const u32 delimiter = static_cast<u32>(open) - at;
    const u32 content = static_cast<u32>(open) + 1;
    const u32 closing = delimiter + 2;  // )delimiter"
    if (literal.end - content < closing) return;
    return text.AppendCopy(source.substr(content, literal.end - closing - content), content);
  }
  if (end > at && source[end - 1] == '"') --end;
  while (at < end) {
    const std::size_t escape = std::min<std::size_t>(source.find('\\', at), end);
    text.AppendCopy(source.substr(at, escape - at), at);
    at = static_cast<u32>(escape);
    if (at < end) AppendEscape(source, end, &at, text);
  }
}

}  // namespace ptxfarm::ptx
