// Hostile texts cost what their size costs: twice the text takes about twice as long, in every
// phase. A phase that is quadratic in anything a text can have much of takes four times as long.
#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "toolchain/ptx/canonical.h"
#include "toolchain/ptx/check.h"
#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/print.h"
#include "toolchain/ptx/structural.h"

namespace ptxfarm::ptx {
namespace {

std::string Repeated(std::size_t n, const std::function<std::string(std::size_t)>& part) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += part(i);
  return text;
}

std::string Repeated(std::size_t n, std::string_view part) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += part;
  return text;
}

constexpr char kHead[] = ".version 8.6\n.target sm_90\n.address_size 64\n";

std::string Body(const std::string& statements) {
  return std::string(kHead) +
         ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" + statements +
         "ret;\n}\n";
}

struct Case {
  const char* name;
  std::size_t n;
  std::string (*text)(std::size_t n);
};

// clang-format off
const Case kCases[] = {
    {"OneLine",             20'000, [](std::size_t n) { return Body(Repeated(n, "add.u32 %r1,%r2,1; ")); }},
    {"OneWrongLine",        20'000, [](std::size_t n) { return Body(Repeated(n, "add.u32 %r1,%r2,1; ") + Repeated(60, "bad; ")); }},
    {"Labels",              20'000, [](std::size_t n) { return Body(Repeated(n, [](std::size_t i) { return fmt::format("L{}: bra L{};\n", i, i / 2); })); }},
    {"LabelsAhead",         20'000, [](std::size_t n) { return Body(Repeated(n, [n](std::size_t i) { return fmt::format("L{}: bra L{};\n", i, n - 1 - i); })); }},
    {"UndeclaredNames",     20'000, [](std::size_t n) { return Body(Repeated(n, [](std::size_t i) { return fmt::format("mov.u32 %r1, %q{};\n", i); })); }},
    {"WrongStatements",     20'000, [](std::size_t n) { return Body(Repeated(n, "mov.u32 %r1 %r2;\n")); }},
    {"OneGap",              40'000, [](std::size_t n) { return Body("add.u32 %r1 (" + Repeated(n, "x, ") + ";\n"); }},
    {"RestOfABody",         20'000, [](std::size_t n) { return Body("}\n" + Repeated(n, [](std::size_t i) { return fmt::format("M{}: bra M{};\n", i, i); })); }},
    {"RightBraces",         40'000, [](std::size_t n) { return Body(Repeated(n, "}")); }},
    {"LeftBraces",          40'000, [](std::size_t n) { return Body(Repeated(n, "{")); }},
    {"Blocks",              20'000, [](std::size_t n) { return Body(Repeated(n, "{ .reg .b32 %x; mov.u32 %x, 1; }\n")); }},
    {"DeepBlocks",          20'000, [](std::size_t n) { return Body(Repeated(900, "{ .reg .b32 %x<2>; ") + Repeated(n, "mov.u32 %r8, %x1;\n") + Repeated(900, "}")); }},
    {"Brackets",            40'000, [](std::size_t n) { return Body("mov.u32 %r1, " + Repeated(n, "[") + ";\n"); }},
    {"Parentheses",         40'000, [](std::size_t n) { return Body("mov.u32 %r1, " + Repeated(n, "(") + "1;\n"); }},
    {"Signs",               40'000, [](std::size_t n) { return Body("mov.u32 %r1, " + Repeated(n, "-") + "1;\n"); }},
    {"Sum",                 40'000, [](std::size_t n) { return Body("mov.u32 %r1, 1" + Repeated(n, "+1") + ";\n"); }},
    {"HugeInteger",      1'000'000, [](std::size_t n) { return Body("mov.u64 %rd1, 0x" + std::string(n, 'F') + ";\n"); }},
    {"HugeDecimal",        400'000, [](std::size_t n) { return Body("mov.u64 %rd1, " + std::string(n, '9') + ";\n"); }},
    {"HugeFloat",          400'000, [](std::size_t n) { return Body("mov.f64 %rd1, 0." + std::string(n, '3') + ";\n"); }},
    {"HugeName",         1'000'000, [](std::size_t n) { return Body("mov.u32 %r1, " + std::string(n, 'x') + ";\n"); }},
    {"HugeMnemonic",        40'000, [](std::size_t n) { return Body("mov" + Repeated(n, ".u32") + " %r1, 1;\n"); }},
    {"HugeComment",      2'000'000, [](std::size_t n) { return Body("/*" + std::string(n, '*') + "*/\n"); }},
    {"CommentsInside",      20'000, [](std::size_t n) { return Body("mov.u32 " + Repeated(n, "/* \n */ ") + "%r1, 1;\n"); }},
    {"Names",               20'000, [](std::size_t n) { return Body(Repeated(n, [](std::size_t i) { return fmt::format(".reg .b32 %x{};\n", i); })); }},
    {"NamesUpwards",        20'000, [](std::size_t n) { return Body(Repeated(n, [](std::size_t i) { return fmt::format(".reg .b32 %{}x<2>;\n", i); })); }},
    {"Declarations",        20'000, [](std::size_t n) { return kHead + Repeated(n, [](std::size_t i) { return fmt::format(".global .u32 g{};\n", i); }); }},
    {"Externs",             10'000, [](std::size_t n) { return kHead + Repeated(n, [](std::size_t i) { return fmt::format(".extern .global .u32 g{};\n", i % 100); }); }},
    {"ChainOfAddresses",    20'000, [](std::size_t n) { return std::string(kHead) + ".global .u64 g0;\n" + Repeated(n, [](std::size_t i) { return fmt::format(".global .u64 g{} = g{};\n", i + 1, i); }); }},
    {"CycleOfAddresses",    20'000, [](std::size_t n) { return kHead + Repeated(n, [n](std::size_t i) { return fmt::format(".global .u64 g{} = g{};\n", i, (i + 1) % n); }); }},
    {"Initializer",         40'000, [](std::size_t n) { return kHead + std::string(".global .b32 a[] = {1") + Repeated(n, ", 2") + "};\n"; }},
    {"DeepInitializer",     40'000, [](std::size_t n) { return kHead + std::string(".global .b32 a[1] = ") + Repeated(n, "{") + ";\n"; }},
    {"Dimensions",          10'000, [](std::size_t n) { return kHead + std::string(".global .b8 a") + Repeated(n, "[1]") + ";\n"; }},
    {"ChainOfAliases",       5'000, [](std::size_t n) { return kHead + Repeated(n, [](std::size_t i) { return fmt::format(".func a{}();\n", i); }) + ".func b() { ret; }\n.alias a0, b;\n" + Repeated(n - 1, [](std::size_t i) { return fmt::format(".alias a{}, a{};\n", i + 1, i); }); }},
    {"CycleOfAliases",       5'000, [](std::size_t n) { return kHead + Repeated(n, [](std::size_t i) { return fmt::format(".func a{}();\n", i); }) + Repeated(n, [n](std::size_t i) { return fmt::format(".alias a{}, a{};\n", i, (i + 1) % n); }); }},
    {"Functions",            5'000, [](std::size_t n) { return kHead + Repeated(n, [](std::size_t i) { return fmt::format(".visible .func f{}(.param .b32 p) {{ .reg .b32 %r; ld.param.b32 %r, [p]; ret; }}\n", i); }); }},
    {"Parameters",           5'000, [](std::size_t n) { return std::string(kHead) + ".visible .func f(.param .b32 p" + Repeated(n, [](std::size_t i) { return fmt::format(", .param .b32 p{}", i); }) + ") { ret; }\n"; }},
    {"RecursiveCalls",       5'000, [](std::size_t n) { return kHead + Repeated(n, [](std::size_t i) { return fmt::format(".shared .b8 s{}[60000];\n.func f{};\n", i, i); }) + Repeated(n, [n](std::size_t i) { return fmt::format(".func f{} {{ .reg .b32 %r; mov.u32 %r, s{}; call f{}; ret; }}\n", i, i, (i + 1) % n); }); }},
    {"UnpassedParameters",   5'000, [](std::size_t n) { return Body(Repeated(n, [](std::size_t i) { return fmt::format(".param .b32 q{};\nst.param.b32 [q{}], 1;\n", i, i); })); }},
    {"MisalignedAccesses",   5'000, [](std::size_t n) { return Body(Repeated(n, "\n") + ".shared .align 4 .b8 s[99];\n" + Repeated(n, "ld.shared.b32 %r1, [s+1];\n")); }},
    {"EntriesTooLarge",      5'000, [](std::size_t n) { return std::string(kHead) + ".shared .b8 s[60000];\n" + Repeated(n, [](std::size_t i) { return fmt::format(".entry e{} () {{ .reg .b32 %r; mov.u32 %r, s; ret; }}\n", i); }); }},
    {"NamesOfALabelList",   40'000, [](std::size_t n) { return Body(Repeated(n, "\n") + ".reg .b32 %x<65536>;\nt: .branchtargets %x<60000>;\n" + Repeated(n, "\n")); }},
    {"Pragmas",             20'000, [](std::size_t n) { return kHead + Repeated(n, ".pragma \"nounroll\";\n"); }},
    {"Targets",             10'000, [](std::size_t n) { return kHead + Repeated(n, ".target sm_80\n"); }},
    {"Locations",           10'000, [](std::size_t n) { return ".file 1 \"a\"\n" + Body(Repeated(n, [](std::size_t i) { return fmt::format(".loc 1 {} 1\nadd.u32 %r1, %r2, 1;\n", i); })); }},
    {"Sections",            10'000, [](std::size_t n) { return kHead + std::string(".section .debug_str\n{\n") + Repeated(n, [](std::size_t i) { return fmt::format("s{}:\n.b8 1\n", i); }) + "}\n"; }},
};
// clang-format on

// Everything that is done with a text that comes from outside.
void ReadWholly(const std::string& text) {
  const Source source{"", text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  if (!tokens) return;
  const CheckResult checked = Check(*tokens, {.gpus = {*ParseTarget("sm_90")}});
  EXPECT_LE(checked.diagnostics.size(), 150u);
  Canonicalize(*tokens);
  ExactText(*tokens);
  if (!checked.is_accepted) return;
  const Result<Module, Diagnostics> module = Parse(*tokens);
  Print(*module);
  StructuralText(*module);
}

double SecondsOf(const std::string& text) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double begin = now();
  ReadWholly(text);
  return now() - begin;
}

// What is freed stays at hand, so that the kernel's clearing of pages isn't measured.
const bool kKeepsMemory =
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30) + ::mallopt(M_TRIM_THRESHOLD, 1 << 30) > 0;

class GrowthTest : public testing::TestWithParam<Case> {};

TEST_P(GrowthTest, TwiceTheTextTakesAboutTwiceAsLong) {
  const std::string once = GetParam().text(GetParam().n);
  const std::string twice = GetParam().text(2 * GetParam().n);
  double of_once = 1e9;
  double of_twice = 1e9;
  // The least of several: what else runs here only adds.
  constexpr int kRepeats = 5;
  for (int i = 0; i < kRepeats; ++i) {
    of_once = std::min(of_once, SecondsOf(once));
    of_twice = std::min(of_twice, SecondsOf(twice));
  }
  printf("%.2f ms, then %.2f times that\n", of_once * 1e3, of_twice / of_once);
  EXPECT_LT(of_twice, 3.5 * of_once);
}

INSTANTIATE_TEST_SUITE_P(Texts, GrowthTest, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

// The limits that keep it so answer by name.
TEST(GrowthTest, LimitsSayWhatTheyAre) {
  const auto first = [](const std::string& text) {
    const Diagnostics all = Check({"", text}).diagnostics;
    return all.empty() ? "" : Format(all[0], "k");
  };
  EXPECT_NE(first(Body(Repeated(1001, "{"))).find("blocks_nested_max"), std::string::npos);
  EXPECT_NE(
      first(Body("mov.u32 %r1, " + Repeated(1001, "(") + "1;")).find("expressions_nested_max"),
      std::string::npos);
  EXPECT_NE(first(Body("mov.b32 %r1, " + Repeated(9, "{") + "%r1;")).find("operands_nested_max"),
            std::string::npos);
  EXPECT_NE(first(kHead + std::string(".global .b32 a[1] = ") + Repeated(1001, "{") + ";")
                .find("expressions_nested_max"),
            std::string::npos);
}

}  // namespace
}  // namespace ptxfarm::ptx
