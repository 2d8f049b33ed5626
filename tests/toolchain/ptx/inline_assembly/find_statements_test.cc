#include "toolchain/ptx/inline_assembly/find_statements.h"

#include <gtest/gtest.h>

namespace ptxfarm::ptx {
namespace {

// "volatile text|=r r[3]|memory" a statement, "skipped: why" for the others.
std::string Shown(std::string_view source) {
  const AsmStatements statements = FindAsmStatements(source);
  std::string shown;
  for (const AsmStatement& one : statements.found) {
    shown += shown.empty() ? "" : "; ";
    if (one.is_volatile) shown += "volatile ";
    if (one.is_conditional) shown += "conditional ";
    shown += one.text.text();
    if (!one.has_operand_list) continue;
    shown += "|";
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
      shown += (i > 0 ? " " : "") + one.operands[i].constraint;
      if (one.operands[i].value) shown += "[" + *one.operands[i].value + "]";
    }
    shown += "|";
    for (const std::string& clobber : one.clobbers) shown += clobber;
  }
  for (const SkippedStatement& one : statements.skipped)
    shown += (shown.empty() ? "" : "; ") + ("skipped: " + one.why);
  return shown;
}

struct Case {
  const char* name;
  const char* source;
  const char* shown;
};

class FindStatementsTest : public testing::TestWithParam<Case> {};

TEST_P(FindStatementsTest, ReadsThemApart) {
  EXPECT_EQ(Shown(GetParam().source), GetParam().shown);
}

// clang-format off
constexpr Case kCases[] = {
    {"None",             "int asmx; f(\"asm(\"); // asm(\"a;\")",        ""},
    {"Bare",             "asm(\"exit;\");",                              "exit;"},
    {"Keywords",         "asm(\"a;\"); __asm(\"b;\"); __asm__ __volatile__(\"c;\");", "a;; b;; volatile c;"},
    {"Parts",            "asm volatile(\"x;\" : \"=r\"(a) : \"r\"(b[(1)]), \"n\"(3) : \"memory\");", "volatile x;|=r r n[3]|memory"},
    {"DoubleColons",     "asm(\"x;\" :: \"r\"(std::max(a, b)) : \"memory\");",        "x;|r|memory"},
    {"OnlyClobber",      "asm(\"x;\" ::: \"memory\");",                  "x;||memory"},
    {"Adjacent",         "asm(\"a;\\n\"\n  R\"(b;)\" /* c */ \"d;\");",  "a;\nb;d;"},
    {"StringMacro",      "#define P \"l\"\nasm(\"x;\" : : P (p));",      "x;|l|"},
    {"RedefinedMacro",   "#define P \"l\"\n#undef P\n#define P \"r\"\nasm(\"x;\" : : P (p));", "x;|r|"},
    {"FirstOfTwoMacros", "#if A\n#define P \"l\"\n#else\n#define P \"r\"\n#endif\nasm(\"x;\" : : P (p));", "x;|l|"},
    {"PointerMacro",     "#if A\n#define P \"r\"\n#else\n#define P \"l\"\n#endif\nasm(\"x;\" : : P (p));", "x;|l|"},
    {"HostWord",         "asm volatile(\"pause\" ::: \"memory\"); asm(\"exit\" :);", "exit||; skipped: it is assembly of the host"},
    {"ForeignMacro",     "asm(\"x\" TYPE \";\");",                       "skipped: 'TYPE' makes a part of it"},
    {"Stringified",      "#define M(op) asm(#op \" %0;\" :: \"r\"(a))\n", "skipped: a parameter of a macro makes a part of it"},
    {"StringifiedLater", "#define M(op) asm(\"a.\" #op \" %0;\" :: \"r\"(a))\n", "skipped: a parameter of a macro makes a part of it"},
    {"InMacro",          "#define M(a) asm(\"x;\" \\\n : \"=r\"(a))\nint b;", "x;|=r|"},
    {"Directive",        "asm(\"x;\"\n#if A\n : \"=r\"(a)\n#endif\n);",  "skipped: a line of the preprocessor stands inside"},
    {"Label",            "int x asm(\"_x.y\"); asm(\"b;\");",            "b;"},
    {"Host",             "asm(\"cpuid\" : \"=a\"(a)); asm volatile(\"pause\" ::: \"cc\");", "skipped: it is assembly of the host; skipped: it is assembly of the host"},
    {"WrongLetterOfPtx", "asm(\"mov.b32 %0, 1;\" : \"=x\"(a));",         "mov.b32 %0, 1;|=x|"},
    {"LiteralConstants", "asm(\"x;\" :: \"n\"(-0x1FULL), \"n\"(1'0), \"n\"(sizeof(a)), \"C\"(\".gl\"));", "x;|n[-0x1F] n[10] n C[.gl]|"},
    {"ArchCondition",    "#if __CUDA_ARCH__ >= 900\nasm(\"a;\");\n#else\nasm(\"b;\");\n#endif\nasm(\"c;\");", "conditional a;; conditional b;; c;"},
    {"OtherCondition",   "#ifdef FOO\nasm(\"a;\");\n#endif",             "a;"},
    {"TargetMacro",      "NV_IF_TARGET(NV_PROVIDES_SM_80, (asm(\"a;\");), (b();)) asm(\"c;\");", "conditional a;; c;"},
    {"TemplateAlone",    "\"add.s32 %0, %1, %2;\" : \"=r\"(i) : \"r\"(j), \"r\"(k)", "add.s32 %0, %1, %2;|=r r r|"},
    {"Unclosed",         "asm(\"x;\" : \"=r\"(a",                        "skipped: its parts can't be told apart"},
    {"UnclosedAtOnce",   "asm(",                                         "skipped: its template is no string"},
};
// clang-format on
INSTANTIATE_TEST_SUITE_P(All, FindStatementsTest, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

// A file of a million asm words, or of nested parentheses, is as cheap as its bytes.
TEST(FindStatementsTest, TakesHostileFiles) {
  std::string words, parentheses = "asm(\"x;\" : \"=r\"";
  for (int i = 0; i < 100'000; ++i) words += "asm(";
  parentheses += std::string(1'000'000, '(');
  EXPECT_EQ(FindAsmStatements(words).found.size(), 0u);
  EXPECT_EQ(FindAsmStatements(parentheses).found.size(), 0u);
  std::string doubling = "#define A0 \"" + std::string(70'000, 'x') + "\"\nasm(";
  for (int i = 0; i < 100; ++i) doubling += "A0 ";
  EXPECT_EQ(Shown(doubling + ");"), "skipped: its template is larger than asm_template_bytes_max");
}

}  // namespace
}  // namespace ptxfarm::ptx
