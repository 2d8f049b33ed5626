// Every wrong module of tests/golden/ptx/diagnostics gives the lines of expected.txt beside it.
// UPDATE_GOLDEN=1 rewrites those; the difference is what gets reviewed.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/toolchain/ptx/golden.h"
#include "toolchain/ptx/diagnostic_kinds.h"
#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"

namespace ptxfarm::ptx {
namespace {

// What a server would say of the text: warnings and errors.
Diagnostics DiagnosticsOf(const std::string& text) {
  const Source source{"", text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  if (!tokens) return tokens.error();
  Diagnostics all = tokens->warnings();
  const Result<Module, Diagnostics> module = Parse(*tokens);
  if (!module) all.insert(all.end(), module.error().begin(), module.error().end());
  return all;
}

TEST(DiagnosticsTest, EveryWrongModuleIsExplained) {
  std::string found;
  for (const test::GoldenFile& file : test::GoldenFiles("ptx/diagnostics"))
    for (const Diagnostic& diagnostic : DiagnosticsOf(file.text))
      found += Format(diagnostic, file.name) + "\n";

  const std::string path = test::GoldenFolder("ptx/diagnostics") + "/expected.txt";
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(WriteFileAtomically(path, found));
  }
  EXPECT_EQ(found, *ReadFile(path, 1 << 20));
}

TEST(DiagnosticsTest, EveryKindHasAModule) {
  std::set<std::string> found;
  for (const test::GoldenFile& file : test::GoldenFiles("ptx/diagnostics"))
    for (const Diagnostic& diagnostic : DiagnosticsOf(file.text)) found.insert(diagnostic.kind);
  for (const DiagnosticKind* const kind : kinds::kAll) {
    if (kind == &kinds::kInputTooLarge) continue;  // 64 MiB are no golden file; lex_test has it.
    EXPECT_TRUE(found.contains(std::string(kind->name))) << kind->name;
  }
}

TEST(DiagnosticsTest, PlacesAreInOrder) {
  for (const test::GoldenFile& file : test::GoldenFiles("ptx/diagnostics")) {
    const Diagnostics all = DiagnosticsOf(file.text);
    EXPECT_FALSE(all.empty()) << file.name;
    EXPECT_TRUE(
        std::is_sorted(all.begin(), all.end(),
                       [](const Diagnostic& a, const Diagnostic& b) { return a.place < b.place; }))
        << file.name;
  }
}

}  // namespace
}  // namespace ptxfarm::ptx
