// A module's text with its name: what places in diagnostics refer to.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/int.h"

namespace ptxfarm::ptx {

// Looks at text that someone else owns; whatever is made from a Source looks at it too, so the text
// must outlive them all.
struct Source {
  std::string name;       // As the user knows it: a path, or "<request>".
  std::string_view text;  // The bytes as they came.

  // Where the byte at `offset` is. Lines end with LF or CR LF (a CR alone ends none); a byte order
  // mark at the very start has no column. Counts from the start at each call: for diagnostics,
  // which are few.
  Place PlaceAt(u32 offset) const;

  // What begins at `offset`, for messages: its line's rest, printable and short, or words for the
  // end of the text.
  std::string Beginning(u32 offset) const;

  // The text of line `line`, without its line end; empty where there is none.
  std::string_view Line(u32 line) const;
};

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace ptxfarm::ptx
