#include "telemetry/log_line.h"

#include <chrono>

#include <fmt/chrono.h>

#include "base/int.h"

namespace ptxfarm::telemetry {

std::string FormatTime(WallTime time) {
  // Days before 1970 round down too.
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(milliseconds);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (milliseconds - seconds).count());
}

namespace {

constexpr char32_t kNotUtf8 = 0xffffffff;

struct CodePoint {
  char32_t value;     // kNotUtf8 where the byte begins none.
  std::size_t bytes;  // 1 then.
};

// The code point at the front of a text that isn't empty; overlong forms and surrogates are none.
CodePoint FrontOf(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<u8>(text[i]); };
  const u8 first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {kNotUtf8, 1};
  char32_t value = first & (0x7f >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {kNotUtf8, 1};
    value = value << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (overlong || surrogate || value > 0x10ffff) return {kNotUtf8, 1};
  return {value, bytes};
}

bool IsControl(char32_t value) {
  // C0, DEL, C1, line and paragraph separators, and what turns the direction of writing.
  return value < 0x20 || (value >= 0x7f && value < 0xa0) || value == 0x2028 || value == 0x2029 ||
         (value >= 0x202a && value <= 0x202e) || (value >= 0x2066 && value <= 0x2069);
}

bool IsBare(std::string_view text) {
  for (const char c : text) {
    if (c <= ' ' || c > '~' || c == '"' || c == '\\' || c == '=') return false;
  }
  return !text.empty();
}

// What both formats write alike; false where it is for the format to say.
bool AppendEscape(std::string& line, char32_t value) {
  switch (value) {
    case '"': line += "\\\""; return true;
    case '\\': line += "\\\\"; return true;
    case '\n': line += "\\n"; return true;
    case '\r': line += "\\r"; return true;
    case '\t': line += "\\t"; return true;
    default: break;
  }
  if (value == kNotUtf8 || !IsControl(value)) return false;
  line += fmt::format("\\u{:04x}", static_cast<u32>(value));
  return true;
}

template <typename AppendNotUtf8>
void AppendQuoted(std::string& line, std::string_view text, AppendNotUtf8 append_not_utf8) {
  line += '"';
  while (!text.empty()) {
    const CodePoint point = FrontOf(text);
    if (point.value == kNotUtf8) {
      append_not_utf8(static_cast<u8>(text.front()));
    } else if (!AppendEscape(line, point.value)) {
      line += text.substr(0, point.bytes);
    }
    text.remove_prefix(point.bytes);
  }
  line += '"';
}

// The front of a long text, cut between two code points, with a note how much there was.
std::string Cut(std::string_view text) {
  std::size_t end = kFieldBytesMax;
  while (end > kFieldBytesMax - 4 && (static_cast<u8>(text[end]) & 0xc0) == 0x80) --end;
  return fmt::format("{}… ({} bytes)", text.substr(0, end), text.size());
}

void AppendBareOrQuoted(std::string& line, std::string_view text) {
  if (IsBare(text)) {
    line += text;
    return;
  }
  AppendQuoted(line, text, [&line](u8 byte) { line += fmt::format("\\x{:02x}", byte); });
}

void AppendJsonString(std::string& line, std::string_view text) {
  AppendQuoted(line, text, [&line](u8) { line += "\xef\xbf\xbd"; });
}

}  // namespace

void AppendLogfmt(std::string& line, std::string_view text) {
  if (text.size() > kFieldBytesMax) return AppendBareOrQuoted(line, Cut(text));
  AppendBareOrQuoted(line, text);
}

void AppendJson(std::string& line, std::string_view text) {
  if (text.size() > kFieldBytesMax) return AppendJsonString(line, Cut(text));
  AppendJsonString(line, text);
}

}  // namespace ptxfarm::telemetry
