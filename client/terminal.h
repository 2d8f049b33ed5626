// What the other end of a stream can show: colours, redrawn lines, a width.
#pragma once

#include <string>
#include <string_view>

#include "base/int.h"

namespace ptxfarm::client {

enum class ColorMode : u8 { kAuto, kAlways, kNever };

struct Terminal {
  bool interactive = false;  // A terminal that can redraw lines.
  bool color = false;
  std::size_t columns = 80;
};

// Looks at the descriptor, $TERM, and $NO_COLOR (https://no-color.org: set and not empty means
// none).
Terminal DetectTerminal(int descriptor, ColorMode mode);

enum class Style : u8 { kPlain, kBold, kDim, kRed, kGreen, kYellow, kBlue, kCyan };

// The text between the style's escape sequences, or as it is.
std::string Styled(std::string_view text, Style style, bool color);

// Columns that the text takes on a terminal: code points, without escape sequences. Names are ASCII
// nearly always; wide characters are counted as one.
std::size_t DisplayWidth(std::string_view text);

// Names and messages come from files and servers: control bytes would let them rewrite the screen.
// UTF-8 stays.
std::string Printable(std::string_view text);
// The same, line by line.
std::string PrintableLines(std::string_view text);

}  // namespace ptxfarm::client
