// Parse(Print(m)) == m, node by node, over every module of the tests that parses.
#include "toolchain/ptx/print.h"

#include <gtest/gtest.h>

#include "tests/toolchain/ptx/cases.h"
#include "toolchain/ptx/canonical.h"
#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"

namespace ptxfarm::ptx {
namespace {

void ExpectSame(const Module& a, const Module& b, const std::string& name) {
  ASSERT_EQ(a.tokens->tokens().size(), b.tokens->tokens().size()) << name;
  for (u32 i = 0; i < a.tokens->tokens().size(); ++i)
    ASSERT_EQ(a.TextOf({i}), b.TextOf({i})) << name;
  // The tokens are the same, and so nodes that name them are comparable.
  EXPECT_EQ(a.header, b.header) << name;
  EXPECT_EQ(a.statements, b.statements) << name;
  EXPECT_EQ(a.instructions, b.instructions) << name;
  EXPECT_EQ(a.operands, b.operands) << name;
  EXPECT_EQ(a.expressions, b.expressions) << name;
  EXPECT_EQ(a.variables, b.variables) << name;
  EXPECT_EQ(a.attributes, b.attributes) << name;
  EXPECT_EQ(a.functions, b.functions) << name;
  EXPECT_EQ(a.directives, b.directives) << name;
  EXPECT_EQ(a.prototypes, b.prototypes) << name;
  EXPECT_EQ(a.name_lists, b.name_lists) << name;
  EXPECT_EQ(a.names, b.names) << name;
  EXPECT_EQ(a.pragmas, b.pragmas) << name;
  EXPECT_EQ(a.aliases, b.aliases) << name;
  EXPECT_EQ(a.later_targets, b.later_targets) << name;
  EXPECT_EQ(a.locations, b.locations) << name;
  EXPECT_EQ(a.files, b.files) << name;
  EXPECT_EQ(a.sections, b.sections) << name;
  EXPECT_EQ(a.section_lines, b.section_lines) << name;
  EXPECT_EQ(a.source_sections, b.source_sections) << name;
  EXPECT_EQ(a.source_blocks, b.source_blocks) << name;
}

// True where the text parses; then it has been held against what is printed of it.
bool RoundTrips(const std::string& given, const std::string& name) {
  const Source raw{name, given};
  const Result<TokenBuffer, Diagnostics> raw_tokens = Lex(raw);
  if (!raw_tokens) return false;
  // Without line markers, which are tokens and aren't printed.
  const std::string text = Canonicalize(*raw_tokens).text;
  const Source source{name, text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  if (!tokens) return false;  // Nothing but comments.
  const Result<Module, Diagnostics> module = Parse(*tokens);
  if (!module) return false;

  const std::string printed = Print(*module);
  const Source source_again{name, printed};
  const Result<TokenBuffer, Diagnostics> tokens_again = Lex(source_again);
  EXPECT_TRUE(tokens_again) << name << '\n' << printed;
  if (!tokens_again) return true;
  const Result<Module, Diagnostics> again = Parse(*tokens_again);
  EXPECT_TRUE(again) << name << '\n' << Format(again.error()[0], name) << '\n' << printed;
  if (!again) return true;
  ExpectSame(*module, *again, name);
  EXPECT_EQ(Print(*again), printed) << name;
  return true;
}

TEST(PrintTest, PrintedModulesParseToTheSame) {
  for (const test::GoldenFile& file : test::GoldenFiles("ptx/modules"))
    EXPECT_TRUE(RoundTrips(file.text, file.name)) << file.name;
}

TEST(PrintTest, PrintedCasesParseToTheSame) {
  int modules = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::GoldenFolder("ptx-cases"))) {
    const std::string file = entry.path().filename();
    if (file == "exceptions.txt") continue;
    for (const test::PtxCase& one : test::ReadCases(file))
      // A backslash between statements is a token that says nothing, and isn't printed either.
      if (one.text.find('\\') == std::string::npos && RoundTrips(one.text, one.name())) ++modules;
  }
  EXPECT_GT(modules, 1500);
}

TEST(PrintTest, LaysOutStatements) {
  const std::string text =
      "// head\n.version 8.6 .target sm_90,debug\n.address_size 64\n"
      ".visible .entry k(.param .u64 a,.param .b8 b[4]) .maxntid 128 .minnctapersm 2 {\n"
      "  .reg .pred %p<2>; .reg .b32 %r < 4 > ; // registers\n"
      "L1: @ ! %p1 bra L1;\n"
      "  { /* inner */ ld.param .v2.b32 { %r1 ,%r2 } , [ a + 8 ]; }\n"
      "  mov .b32 %r1, - 1; mov.u32 %r2, %tid .x; add.s32 %r1, %r2, (1+2)*3 % 4; ret; }\n"
      ".global .b32 x = 5, y[2] = {1,{2}};\n";
  const Source source{"k", text};
  const TokenBuffer tokens = *Lex(source);
  const Result<Module, Diagnostics> module = Parse(tokens);
  ASSERT_TRUE(module) << Format(module.error()[0], "k");
  EXPECT_EQ(Print(*module, {.keeps_comments = true}),
            "// head\n"
            ".version 8.6\n"
            ".target sm_90, debug\n"
            ".address_size 64\n"
            "\n"
            ".visible .entry k(\n"
            "\t.param .u64 a,\n"
            "\t.param .b8 b[4]\n"
            ")\n"
            ".maxntid 128\n"
            ".minnctapersm 2\n"
            "{\n"
            "\t.reg .pred %p<2>;\n"
            "\t.reg .b32 %r<4>; // registers\n"
            "L1:\n"
            "\t@!%p1 bra L1;\n"
            "\t{ /* inner */\n"
            "\t\tld.param.v2.b32 {%r1, %r2}, [a+8];\n"
            "\t}\n"
            "\tmov.b32 %r1, -1;\n"
            "\tmov.u32 %r2, %tid.x;\n"
            "\tadd.s32 %r1, %r2, (1+2)*3 % 4;\n"
            "\tret;\n"
            "}\n"
            ".global .b32 x = 5, y[2] = {1, {2}};\n");
}

}  // namespace
}  // namespace ptxfarm::ptx
