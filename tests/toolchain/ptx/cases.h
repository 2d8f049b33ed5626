// Small modules with their verdict, many to a file: tests/golden/ptx-cases.
//
// A case is a line `=== name | field | field …` and the text below it, up to the next such line.
// The text is ASCII: \xNN is that byte, \\ a backslash, and a backslash at the end of a line says
// that no line end is there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/toolchain/ptx/golden.h"

namespace ptxfarm::test {

struct PtxCase {
  std::vector<std::string> fields;  // The name first.
  std::string text;

  const std::string& name() const { return fields[0]; }
};

inline std::string Unescaped(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
    } else if (text[i + 1] == 'x') {
      bytes += static_cast<char>(std::stoi(std::string(text.substr(i + 2, 2)), nullptr, 16));
      i += 3;
    } else {
      if (text[i + 1] == '\\') bytes += '\\';
      ++i;
    }
  }
  return bytes;
}

inline std::vector<PtxCase> ReadCases(const std::string& file) {
  constexpr std::string_view kMark = "=== ";
  const std::string all = *ReadFile(GoldenFolder("ptx-cases") + "/" + file, 1 << 24);
  std::vector<PtxCase> cases;
  for (std::size_t at = 0; at < all.size();) {
    PTXFARM_CHECK(all.compare(at, kMark.size(), kMark) == 0, file);
    const std::size_t line_end = all.find('\n', at);
    std::size_t end = all.find("\n=== ", line_end);
    end = end == std::string::npos ? all.size() : end + 1;
    PtxCase one;
    std::string_view head = std::string_view(all).substr(at + kMark.size(), line_end - at - 4);
    while (true) {
      const std::size_t bar = head.find(" | ");
      one.fields.emplace_back(head.substr(0, bar));
      if (bar == std::string_view::npos) break;
      head.remove_prefix(bar + 3);
    }
    one.text = Unescaped(std::string_view(all).substr(line_end + 1, end - line_end - 1));
    cases.push_back(std::move(one));
    at = end;
  }
  return cases;
}

}  // namespace ptxfarm::test
