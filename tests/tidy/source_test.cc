// The house's own rules for source files: docs/style.md says why.
#include <gtest/gtest.h>

#include "tests/tidy/source_tree.h"

namespace ptxfarm::test {
namespace {

TEST(SourceTest, LinesAndFilesAreShort) {
  for (const SourceFile& file : SourceFiles()) {
    EXPECT_LE(file.lines.size(), 500u) << file.path << " is long: two nouns in one file?";
    bool in_table = false;  // Rows are as long as what they say.
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (file.lines[i].find("clang-format off") != std::string::npos) in_table = true;
      if (file.lines[i].find("clang-format on") != std::string::npos) in_table = false;
      if (in_table) continue;
      // Columns, not bytes: a continuation byte of UTF-8 takes none.
      std::size_t columns = 0;
      for (const char c : file.lines[i]) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      EXPECT_LE(columns, 120u) << file.path << ":" << i + 1;
    }
  }
}

TEST(SourceTest, HeadersAreGuardedByPragmaOnce) {
  for (const SourceFile& file : SourceFiles()) {
    if (!file.path.ends_with(".h")) continue;
    bool guarded = false;
    for (const std::string& line : file.lines) guarded |= line == "#pragma once";
    EXPECT_TRUE(guarded) << file.path;
  }
}

struct Banned {
  const char* word;
  const char* instead;
};

// Split so that this file doesn't contain what it looks for.
constexpr Banned kBanned[] = {
    {"sleep"
     "_for(",
     "a condition, a stepped clock, or a poll with a deadline"},
    {"std::"
     "regex",
     "a hand-written scan: it is slow and recurses over input"},
    {"std::"
     "cout <<",
     "fmt::print"},
    {"assert"
     "(",
     "PTXFARM_CHECK, which is on in release builds too"},
    {"using namespace "
     "std;",
     "names in full"},
    {"std::"
     "endl",
     "'\\n'"},
};

TEST(SourceTest, SaysNothingBanned) {
  for (const SourceFile& file : SourceFiles()) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string code = file.lines[i].substr(0, file.lines[i].find("//"));
      for (const Banned& banned : kBanned) {
        const std::size_t at = code.find(banned.word);
        const bool whole =
            at != std::string::npos && (at == 0 || (!isalnum(code[at - 1]) && code[at - 1] != '_'));
        EXPECT_FALSE(whole) << file.path << ":" << i + 1 << ": '" << banned.word << "': use "
                            << banned.instead;
      }
    }
  }
}

}  // namespace
}  // namespace ptxfarm::test
