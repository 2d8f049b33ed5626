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
#include "toolchain/ptx/check.h"
#include "toolchain/ptx/diagnostic_kinds.h"
#include "toolchain/ptx/isa/instruction_kinds.h"

namespace ptxfarm::ptx {
namespace {

// What a server would say of the text, asked for the targets of its first line.
Diagnostics DiagnosticsOf(const std::string& text) {
  VerifyOptions options;
  for (const std::string& target : test::TargetsOf(text))
    options.gpus.push_back(*ParseTarget(target));
  return Check({"", text}, options).diagnostics;
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
  for (const DiagnosticKind* const kind : kinds::kAllOfInstructions)
    EXPECT_TRUE(found.contains(std::string(kind->name))) << kind->name;
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
