// How a line of a log is written, and what is done to texts that could forge one.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"

namespace ptxfarm::telemetry {

// A text longer than this is cut, and says so: messages of compilers can be of any size.
inline constexpr std::size_t kFieldBytesMax = 4096;

// "2026-03-01T12:00:00.123Z": ISO 8601, UTC, milliseconds.
std::string FormatTime(WallTime time);

// key=value: bare where it is printable ASCII without blank, quote, backslash and '='; else in
// double quotes with
// \" \\ \n \r \t, \xNN for bytes that aren't UTF-8, and \uNNNN for other control characters. So a
// text can neither end the line nor look like another field, and a terminal isn't told to do
// anything.
void AppendLogfmt(std::string& line, std::string_view text);

// "…" as RFC 8259 has it; bytes that aren't UTF-8 become U+FFFD.
void AppendJson(std::string& line, std::string_view text);

}  // namespace ptxfarm::telemetry
