#include "toolchain/ptx/inline_assembly/check_inline.h"

#include <algorithm>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "toolchain/ptx/inline_assembly/inline_kinds.h"
#include "toolchain/ptx/isa/effects.h"
#include "toolchain/ptx/isa/instructions.h"

namespace ptxfarm::ptx {
namespace {

InlineCheckResult CheckText(std::string_view text, std::string_view targets = "") {
  InlineOptions options;
  while (!targets.empty()) {
    const std::size_t end = std::min(targets.find(' '), targets.size());
    options.targets.push_back(*ParseTarget(targets.substr(0, end)));
    targets.remove_prefix(std::min(end + 1, targets.size()));
  }
  return CheckInline({"k.cu", text}, options);
}

// "1:5+3 kind" a diagnostic: line, column, length.
std::string Shown(const InlineCheckResult& result) {
  std::string shown;
  for (const Diagnostic& one : result.diagnostics)
    shown += fmt::format("{}{}:{}+{} {}", shown.empty() ? "" : "; ", one.place.line,
                         one.place.column, one.length, one.kind);
  return shown;
}

std::string Messages(const InlineCheckResult& result) {
  std::string messages;
  for (const Diagnostic& one : result.diagnostics) messages += Format(one, "k.cu") + "\n";
  return messages;
}

struct Case {
  const char* name;
  const char* source;
  const char* shown;
  const char* targets = "";
};

class CheckInlineTest : public testing::TestWithParam<Case> {};

TEST_P(CheckInlineTest, SaysWhatIsWrongAndWhere) {
  const InlineCheckResult result = CheckText(GetParam().source, GetParam().targets);
  EXPECT_EQ(Shown(result), GetParam().shown) << Messages(result);
}

// clang-format off
constexpr Case kCases[] = {
    // What is right.
    {"Right",            R"(asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));)", ""},
    {"AllClasses",       R"(asm("{ mov.b16 %0, 1; mov.b32 %1, 1; mov.b64 %2, 1; mov.f32 %3, 0f00000000; mov.f64 %4, 0d0000000000000000; mov.b128 %5, {%2, %2}; }" : "=h"(a), "=r"(b), "=l"(c), "=f"(d), "=d"(e), "=q"(f));)", ""},
    {"ReadWrite",        R"(asm("add.u32 %0, %0, %1;" : "+r"(a) : "n"(4));)", ""},
    {"Tied",             R"(asm("add.u32 %0, %0, 1;" : "=r"(a) : "0"(a));)", ""},
    {"Scope",            R"(asm("{ .reg .pred p; L: setp.eq.u32 p, %1, 0; selp.u32 %0, 1, 2, p; }" : "=r"(a) : "r"(b));)", ""},
    {"Special",          R"(asm("mov.u32 %0, %%tid.x;" : "=r"(a));)", ""},
    {"SpecialWithoutList", R"(asm("{ .reg .u32 t; mov.u32 t, %tid.x; }");)", ""},
    {"Blank",            R"(asm volatile("" : "+r"(a) :: "memory");)", ""},
    {"UnknownConstant",  R"(asm volatile("bar.sync %0, %1;" :: "n"(kId), "n"(kThreads) : "memory");)", ""},
    {"UnknownText",      R"(asm("add%1 %0, %0, 1;" : "+r"(a) : "C"(kType));)", "1:1+46 asm-skipped"},
    {"KnownText",        R"(asm("add%1 %0, %0, 1;" : "+r"(a) : "C"(".u32"));)", ""},
    {"UniqueLabel",      R"(asm volatile("L%=: bra L%=;" ::: "memory");)", ""},
    {"BothGuards",       R"(asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; @p mov.u32 %0, 1; @!p mov.u32 %0, 2; }" : "=r"(a) : "r"(b));)", ""},
    {"ModuleAddress",    R"(asm("ld.global.nc.u32 %0, [buffer+4];" : "=r"(a));)", "1:28+6 asm-foreign-name"},
    {"ModuleName",       R"(asm("mov.u64 %0, buffer;" : "=l"(a));)", "1:18+6 asm-foreign-name"},
    {"OpenElsewhere",    "asm(\".reg .u32 t;\"); asm(\"mov.u32 t, 1;\");", "1:16+1 asm-open-register"},
    // The template.
    {"UnknownInstruction", R"(asm("fmaa.rn.f32 %0, %0, %0, %0;" : "+f"(d));)", "1:6+4 unknown-instruction"},
    {"OperandCount",     R"(asm("fma.rn.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));)", "1:6+3 operand-count"},
    {"WrongClass",       R"(asm("add.u32 %0, %1, 1;" : "=r"(d) : "f"(a));)", "1:18+2 operand-type"},
    {"WrongWidth",       R"(asm("add.u64 %0, %1, 1;" : "=l"(d) : "r"(a));)", "1:18+2 operand-type"},
    {"OutOfRange",       R"(asm("add.u32 %0, %1, 1;" : "=r"(d));)", "1:18+2 asm-operand-range"},
    {"SinglePercent",    R"(asm("mov.u32 %0, %tid.x;" : "=r"(d));)", "1:18+4 asm-percent"},
    {"DoubledPercent",   R"(asm("{ .reg .u32 t; mov.u32 t, %%tid.x; }");)", "1:32+2 asm-doubled-percent"},
    {"Unterminated",     R"(asm("mov.u32 %0, 1" : "=r"(d));)", "1:18+1 asm-unterminated"},
    {"Undeclared",       R"(asm("add.u32 %0, t, 1;" : "=r"(d));)", "1:18+1 undeclared"},
    {"UnopenedBrace",    R"(asm("mov.u32 %0, 1; }" : "=r"(d));)", "1:21+1 unopened-brace"},
    {"UnclosedBrace",    R"(asm("{ mov.u32 %0, 1;" : "=r"(d));)", "1:6+1 unclosed-brace"},
    {"SecondLine",       "asm(\"{ .reg .u32 t;\\n\\t\"\n    \"mov.u32 t, %1;\\n\\tmov.u33 %0, t; }\"\n    : \"=r\"(d) : \"r\"(a));", "2:27+4 unknown-modifier"},
    // The lists.
    {"UnknownLetter",    R"(asm("mov.u32 %0, 1;" : "=x"(d));)", "1:24+4 asm-constraint"},
    {"OutputWithoutSign",R"(asm("mov.u32 %0, 1;" : "r"(d));)", "1:24+3 asm-constraint"},
    {"InputWithSign",    R"(asm volatile("mov.u32 t, %0;" :: "=r"(d));)", "1:23+1 undeclared; 1:34+4 asm-constraint"},
    {"OddClobber",       R"(asm("mov.u32 %0, 1;" : "=r"(d) :: "r0");)", "1:1+39 asm-clobber"},
    // Use of operands.
    {"WritesInput",      R"(asm("mov.u32 %0, 1; mov.u32 %1, 2;" : "=r"(d) : "r"(a));)", "1:29+2 asm-writes-input"},
    {"NeverWritten",     R"(asm volatile("{ .reg .u32 t; add.u32 t, %0, 1; }" : "=r"(d));)", "1:53+4 asm-never-written"},
    {"ReadFirst",        R"(asm("add.u32 %0, %0, 1;" : "=r"(d));)", "1:18+2 asm-read-first"},
    {"GuardedWrite",     R"(asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; @p mov.u32 %0, 1; }" : "=r"(a) : "r"(b));)", "1:55+2 asm-guarded-write"},
    {"OnlyRead",         R"(asm("mov.u32 %0, %1;" : "=r"(d), "+r"(a));)", "1:34+4 asm-only-read"},
    {"Unused",           R"(asm("mov.u32 %0, 1;" : "=r"(d) : "r"(a));)", "1:34+3 asm-unused"},
    // Effects.
    {"StoreTold",        R"(asm volatile("st.global.u32 [%0], %1;" :: "l"(p), "r"(a) : "memory");)", ""},
    {"StoreNoMemory",    R"(asm volatile("st.global.u32 [%0], %1;" :: "l"(p), "r"(a));)", "1:15+13 asm-no-memory"},
    {"AtomLost",         R"(asm("atom.global.add.u32 %0, [%1], 1;" : "=r"(a) : "l"(p));)", "1:6+19 asm-lost-effect"},
    {"ClockNotVolatile", R"(asm("mov.u32 %0, %%clock;" : "=r"(a));)", "1:18+7 asm-not-volatile"},
    {"ClockVolatile",    R"(asm volatile("mov.u32 %0, %%clock;" : "=r"(a));)", ""},
    {"LoadNoMemory",     R"(asm("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(p));)", "1:6+13 asm-no-memory"},
    {"LoadOfConstants",  R"(asm("ld.global.nc.u32 %0, [%1];" : "=r"(a) : "l"(p));)", ""},
    {"ShuffleNotVolatile", R"(asm("shfl.sync.idx.b32 %0, %1, 0, 31, -1;" : "=r"(a) : "r"(b));)", "1:6+17 asm-not-volatile"},
    // Pasted twice.
    {"OpenRegister",     R"(asm(".reg .u32 t; mov.u32 t, %1; mov.u32 %0, t;" : "=r"(a) : "r"(b));)", "1:16+1 asm-open-register"},
    {"OpenLabel",        R"(asm volatile("L: bra L;" ::: "memory");)", "1:15+1 asm-open-label"},
    // Targets.
    {"TooOld",           R"(asm("fma.rn.bf16 %0, %0, %0, %0;" : "+h"(a));)", "1:6+3 needs-target", "sm_75"},
    {"OneOfTwoTooOld",   R"(asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(a) : "f"(b));)", "1:6+3 needs-target", "sm_90 sm_75"},
    {"NewEnough",        R"(asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(a) : "f"(b));)", "", "sm_80 sm_90"},
    {"Conditional",      "#if __CUDA_ARCH__ >= 800\nasm(\"cvt.rn.bf16.f32 %0, %1;\" : \"=h\"(a) : \"f\"(b));\n#endif", "", "sm_75"},
    {"ArchitectureOnly", R"(asm volatile("wgmma.fence.sync.aligned;" ::: "memory");)", "", "sm_90a"},
    {"OldForms",         R"(asm volatile("vote.ballot.b32 %0, 1;" : "=r"(a));)", "1:15+15 deprecated-form"},
};
// clang-format on
INSTANTIATE_TEST_SUITE_P(All, CheckInlineTest, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(CheckInlineTest, EveryKindHasACase) {
  std::set<std::string> found;
  for (const Case& one : kCases)
    for (const Diagnostic& diagnostic : CheckText(one.source, one.targets).diagnostics)
      found.insert(diagnostic.kind);
  for (const DiagnosticKind* const kind : kinds::kAllOfInline)
    EXPECT_TRUE(found.contains(std::string(kind->name))) << kind->name;
}

// A statement whose template has a fault doesn't hide the next one, and all are counted.
TEST(CheckInlineTest, ChecksEveryStatement) {
  const InlineCheckResult result = CheckText(
      "asm(\"mov.u33 %0, 1;\" : \"=r\"(a));\n"
      "asm(X : \"=r\"(a));\n"
      "asm(\"mov.u34 %0, 1;\" : \"=r\"(a));\n");
  EXPECT_FALSE(result.is_accepted);
  EXPECT_EQ(result.statements_count, 2u);
  EXPECT_EQ(result.skipped_count, 1u);
  EXPECT_EQ(Shown(result), "1:9+4 unknown-modifier; 2:1+4 asm-skipped; 3:9+4 unknown-modifier");
}

// What a fault refers to is in the source too.
TEST(CheckInlineTest, RelatedPlacesAreOfTheSource) {
  const InlineCheckResult result =
      CheckText("asm(\"{ .reg .f32 t;\\n\"\n    \"  mov.u64 %0, t; }\" : \"=l\"(a));");
  ASSERT_EQ(result.diagnostics.size(), 1u) << Messages(result);
  EXPECT_EQ(result.diagnostics[0].place, (Place{2, 20}));
  for (const RelatedPlace& related : result.diagnostics[0].related)
    EXPECT_EQ(related.place, (Place{1, 18}));
}

// Every opcode that takes an address does something to memory that another thread could see, or
// has a row that says it doesn't; what only computes has none.
TEST(EffectsTest, EveryInstructionWithAnAddressHasOne) {
  const std::set<std::string_view> only_reads_constants = {"tex", "tld4", "ldu", "createpolicy"};
  const std::set<std::string_view> only_names = {"cvta",    "mapa", "getctarank", "isspacep",
                                                 "istypep", "txq",  "suq"};
  for (const std::string_view opcode : isa::Opcodes()) {
    if (only_reads_constants.contains(opcode) || only_names.contains(opcode)) continue;
    for (const isa::InstructionRow* const row : isa::RowsOf(opcode)) {
      if (row->operands.find(":addr") == std::string_view::npos) continue;
      // The words that every spelling of the row begins with.
      const std::string_view head = row->syntax.substr(0, row->syntax.find_first_of("{<(| "));
      if (head.starts_with("ld") || head.starts_with("st")) continue;  // Below.
      EXPECT_NE(isa::EffectOf(head), isa::Effect::kNone) << row->syntax;
    }
  }
}

TEST(EffectsTest, WordsDecide) {
  EXPECT_EQ(isa::EffectOf("ld.global.u32"), isa::Effect::kReads);
  EXPECT_EQ(isa::EffectOf("ld.global.nc.u32"), isa::Effect::kNone);
  EXPECT_EQ(isa::EffectOf("ld.global.L2::cache_hint.u32"), isa::Effect::kReads);
  EXPECT_EQ(isa::EffectOf("multimem.ld_reduce.add.u32"), isa::Effect::kReads);
  EXPECT_EQ(isa::EffectOf("multimem.st.u32"), isa::Effect::kWrites);
  EXPECT_EQ(isa::EffectOf("add.u32"), isa::Effect::kNone);
  EXPECT_TRUE(isa::IsChanging("%clock64"));
  EXPECT_TRUE(isa::IsChanging("%pm3_64"));
  EXPECT_FALSE(isa::IsChanging("%tid"));
}

// Bytes of the cases, changed, cut and joined at random: no fault, and places inside the text.
TEST(CheckInlineTest, TakesAnyBytes) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t end) { return random() % end; };
  constexpr std::string_view kBytes = "%{}()\"\\:;,.#n\n0=+rl@[]/*R'";
  for (int round = 0; round < 3000; ++round) {
    std::string text = kCases[below(std::size(kCases))].source;
    text += kCases[below(std::size(kCases))].source;
    for (std::size_t changes = below(6); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      const std::size_t length = below(8);
      switch (below(4)) {
        case 0: text[at] = kBytes[below(kBytes.size())]; break;
        case 1: text.insert(at, 1, kBytes[below(kBytes.size())]); break;
        case 2: text.erase(at, length); break;
        default: text.insert(at, text.substr(below(text.size()), length));
      }
      if (text.empty()) text = "x";
    }
    const InlineCheckResult result = CheckText(text);
    const auto lines = static_cast<u32>(std::count(text.begin(), text.end(), '\n')) + 1;
    Place last;
    for (const Diagnostic& one : result.diagnostics) {
      EXPECT_LE(last, one.place) << text;
      EXPECT_TRUE(one.place.line >= 1 && one.place.line <= lines) << text;
      last = one.place;
    }
  }
}

}  // namespace
}  // namespace ptxfarm::ptx
