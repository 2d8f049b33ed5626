#include "worker/ptxas/places.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "worker/ptxas/variables.h"

#include "toolchain/ptx/lex.h"

namespace ptxfarm::worker {
namespace {

constexpr char kHead[] = ".version 8.0\n.target sm_80\n.address_size 64\n";

// "4:1 (2:3 'words') (5:1 'more')": where the diagnostic is, and what it is related to.
std::string PlacesOf(const std::string& message, const std::string& body) {
  const CompilerLog log = ReadLog("ptxas fatal   : " + message + "\n");
  std::string shown;
  for (const Diagnostic& diagnostic : DiagnosticsOf(log.diagnostics, kHead + body)) {
    shown += fmt::format("{}:{}", diagnostic.place.line, diagnostic.place.column);
    for (const RelatedPlace& related : diagnostic.related)
      shown +=
          fmt::format(" ({}:{} {})", related.place.line, related.place.column, related.message);
  }
  return shown;
}

struct Case {
  const char* name;
  const char* message;
  const char* body;
  const char* places;
};

class PlacesTest : public testing::TestWithParam<Case> {};

TEST_P(PlacesTest, AreFoundInTheText) {
  EXPECT_EQ(PlacesOf(GetParam().message, GetParam().body), GetParam().places);
}

// clang-format off
constexpr Case kCases[] = {
    {"Shared", "Entry function 'big' uses too much shared data (0x10000 bytes, 0xc000 max)",
     ".visible .entry big();\n.visible .entry small() { .shared .b8 x[9]; ret; }\n"
     ".visible .entry big()\n{\n  .shared .align 16 .v4 .b32 tile[0x10][16], one;\n  { .shared .u16 deep[010]; ld.shared.u32 %r1, [one]; }\n}\n",
     "6:17 (8:30 'tile' takes 4096 bytes) (8:46 'one' takes 16 bytes) (9:18 'deep' takes 16 bytes)"},
    {"Constants", "File uses too much global constant data (0x10018 bytes, 0x10000 max)",
     ".const .align 8 .b8 extra[24] = {1, 2, 3}, other;\n.visible .const .align 4 .b8 region[65536];\n.const .b8 open[] = {1};\n",
     "5:30 (5:30 'region' takes 65536 bytes) (4:21 'extra' takes 24 bytes) (4:44 'other' takes 1 bytes)"},
    {"Symbol", "Unresolved extern function 'far'",
     "// far away\n.extern .func far();\n.entry k() {\n  call far;\n}\n", "7:8 (5:15 declared here)"},
    {"SymbolWithoutUse", "Unresolved extern variable 'v'", ".extern .global .u32 v;\n", "4:22"},
    {"Pragma", "Pragma 'enable_smem_spilling' is not allowed for per-function compilation modes",
     ".entry k() {\n  .pragma \"nounroll\";\n  .pragma \"enable_smem_spilling\";\n}\n", "6:3"},
    {"File", "Duplicate file index #1", ".file 1 \"a.cu\"\n.file 2 \"b.cu\"\n.file 1 \"c.cu\"\n",
     "6:1 (4:1 here it is \"a.cu\")"},
    {"Entry", "Entry function 'k' uses too much parameter space (0x1388 bytes, 0x1100 max).",
     ".entry k(.param .b8 p[5000]) { ret; }\n", "4:8"},
    {"Absent", "Unresolved extern function 'nowhere'", ".entry k() { ret; }\n", "0:0"},
};
// clang-format on
INSTANTIATE_TEST_SUITE_P(Of, PlacesTest, testing::ValuesIn(kCases),
                         [](const auto& one) { return one.param.name; });

TEST(PlacesTest, TextsThatBreakOffAreNoHarm) {
  const std::string text =
      std::string(kHead) +
      ".const .align 4 .v2 .b32 a[2][3] = {{1, 2}, {3}}, b[0xFFFFFFFFFFFFFFFF];\n.entry k() {";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const ptx::Source source{.name = "", .text = std::string_view(text).substr(0, size)};
    const auto tokens = ptx::Lex(source);
    if (!tokens) continue;
    for (const Variable& variable : VariablesOf(*tokens, ".const", 0, text.size()))
      EXPECT_TRUE(variable.bytes <= 48 || variable.name == "b") << source.text;
  }
}

}  // namespace
}  // namespace ptxfarm::worker
