#include "client/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

namespace ptxfarm::client {
namespace {

std::string_view EnvironmentOf(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

std::string_view EscapeOf(Style style) {
  switch (style) {
    case Style::kPlain: return "";
    case Style::kBold: return "\x1b[1m";
    case Style::kDim: return "\x1b[2m";
    case Style::kRed: return "\x1b[31m";
    case Style::kGreen: return "\x1b[32m";
    case Style::kYellow: return "\x1b[33m";
    case Style::kBlue: return "\x1b[34m";
    case Style::kCyan: return "\x1b[36m";
  }
  return "";
}

}  // namespace

Terminal DetectTerminal(int descriptor, ColorMode mode) {
  Terminal terminal;
  const std::string_view term = EnvironmentOf("TERM");
  terminal.interactive = ::isatty(descriptor) == 1 && !term.empty() && term != "dumb";
  if (terminal.interactive) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
      terminal.columns = size.ws_col;
  }
  switch (mode) {
    case ColorMode::kAlways: terminal.color = true; break;
    case ColorMode::kNever: terminal.color = false; break;
    case ColorMode::kAuto:
      terminal.color = terminal.interactive && EnvironmentOf("NO_COLOR").empty();
      break;
  }
  return terminal;
}

std::string Styled(std::string_view text, Style style, bool color) {
  if (!color || style == Style::kPlain || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", EscapeOf(style), text);
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    width += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
  }
  return width;
}

std::string Printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t')
      shown.push_back(' ');
    else if (byte < 0x20 || byte == 0x7f)
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown.push_back(c);
  }
  return shown;
}

std::string PrintableLines(std::string_view text) {
  std::string shown;
  while (true) {
    const std::size_t end = text.find('\n');
    shown += Printable(text.substr(0, end));
    if (end == std::string_view::npos) return shown;
    shown += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace ptxfarm::client
