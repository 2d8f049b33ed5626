#include "toolchain/ptx/isa/spelling.h"

#include <gtest/gtest.h>

#include "tests/toolchain/ptx/isa/random_spelling.h"
#include "toolchain/ptx/isa/instructions.h"

namespace ptxfarm::ptx::isa {
namespace {

const ModuleHead kHead{.version = {9, 4}, .target = *ParseModuleTarget("sm_100a")};

// "kind: message | hint" of the one thing that is said of a spelling; empty where there is nothing.
std::string IssueOf(const std::string& mnemonic) {
  SpellingTable table(kHead);
  const Spelling& spelling = table.Find(mnemonic);
  if (spelling.issues.empty()) return "";
  const Diagnostic& diagnostic = spelling.issues[0].diagnostic;
  return fmt::format("{}: {}{}{}", diagnostic.kind, diagnostic.message,
                     diagnostic.hint.empty() ? "" : " | ", diagnostic.hint);
}

TEST(SpellingTest, EveryRowHasSpellings) {
  std::mt19937 random(1);
  std::size_t forms = 0;
  for (const std::string_view opcode : Opcodes()) {
    for (const Form& form : FormsOf(opcode)) {
      ++forms;
      const std::optional<std::string> text = RandomSpelling(form, random);
      ASSERT_TRUE(text) << form.row->syntax;
      SpellingTable table(kHead);
      const Spelling& spelling = table.Find(*text);
      EXPECT_TRUE(spelling.issues.empty()) << *text;
      const bool found =
          std::any_of(spelling.overloads.begin(), spelling.overloads.end(),
                      [&](const Overload& overload) { return overload.form == &form; });
      EXPECT_TRUE(found) << *text;
    }
  }
  EXPECT_EQ(forms, 753u);
}

TEST(SpellingTest, OverloadsAreTheFormsThatHaveTheWords) {
  SpellingTable table(kHead);
  const Spelling& mov = table.Find("mov.b32");
  EXPECT_EQ(mov.overloads.size(), 5u);  // Move, pack and unpack of halves and of bytes.
  EXPECT_EQ(&table.Find("mov.b32"), &mov);
}

TEST(SpellingTest, OperandsFollowTheWords) {
  SpellingTable table(kHead);
  const Overload& load = table.Find("ld.global.v2.u8").overloads[0];
  ASSERT_EQ(load.operands.size(), 2u);  // No cache policy without its word.
  EXPECT_EQ(load.operands[0].elements, 2u);
  EXPECT_EQ(load.operands[1].space, StateSpace::kGlobal);
  EXPECT_EQ(table.Find("ld.global.L2::cache_hint.u8").overloads[0].operands.size(), 3u);
  const Overload& wgmma =
      table.Find("wgmma.mma_async.sync.aligned.m64n24k16.f16.f16.f16").overloads[0];
  EXPECT_EQ(wgmma.operands[0].elements, 6u);
  EXPECT_EQ(Describe(wgmma.operands[0].type.registers), ".b32 or .f16x2");
}

TEST(SpellingTest, RequirementsNameTheWordThatAsks) {
  SpellingTable table(kHead);
  const Overload& overload = table.Find("ld.global.L2::256B.u32").overloads[0];
  bool found = false;
  for (const Requirement& one : overload.requirements) {
    if (one.what != ".L2::256B") continue;
    found = true;
    EXPECT_EQ(one.since, (PtxVersion{7, 4}));
    EXPECT_EQ(one.targets_text, "sm_80+");
    EXPECT_EQ(one.word, 2u);
  }
  EXPECT_TRUE(found);
}

struct Case {
  const char* name;
  const char* mnemonic;
  const char* issue;
};
// clang-format off
constexpr Case kCases[] = {
    {"Right",          "add.rn.f32",             ""},
    {"NoInstruction",  "muls.s32",               "unknown-instruction: 'muls' is no instruction | did you mean 'mul'?"},
    {"NoModifier",     "add.f33",                "unknown-modifier: '.f33' is no modifier of 'add' | did you mean '.f32'?"},
    {"NoTypes",        "and",                    "missing-modifier: 'and' lacks .b16, .b32, .b64 or .pred"},
    {"NoMode",         "mul.s32",                "missing-modifier: 'mul.s32' lacks .hi, .lo or .wide"},
    {"NoRounding",     "cvt.f32.f64",            "missing-modifier: 'cvt.f32.f64' lacks .rn, .rz, .rm or .rp"},
    {"TooMany",        "and.b32.b64",            "surplus-modifier: '.b64' doesn't go with 'and.b32'"},
    {"Rule",           "set.lo.u32.s32",         "modifier-conflict: 'set.lo.u32.s32': '.lo' goes with .u16, .u32 or .u64 only"},
    {"Space",          "ld.shared.L2::64B.u32",  "modifier-conflict: 'ld.shared.L2::64B.u32': '.L2::64B' goes with no state space or .global only"},
    {"Order",          "cvt.f32.s32.rn",         "modifier-order: the manual's order is 'cvt.rn.f32.s32'"},
    {"Twice",          "add.sat.sat.s32",        "repeated-modifier: '.sat' stands twice in 'add.sat.sat.s32'"},
    {"HeadOutOfOrder", "bar.sync.cta",           "surplus-modifier: '.cta' doesn't go with 'bar.sync'"},
};
// clang-format on

class SpellingIssueTest : public testing::TestWithParam<Case> {};
TEST_P(SpellingIssueTest, Says) { EXPECT_EQ(IssueOf(GetParam().mnemonic), GetParam().issue); }
INSTANTIATE_TEST_SUITE_P(Mnemonics, SpellingIssueTest, testing::ValuesIn(kCases),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(SpellingTest, HostileMnemonicsEnd) {
  std::string all = "tex";
  for (int i = 0; i < 1000; ++i) all += ".v4.f32.1d";
  EXPECT_EQ(IssueOf(all), "too-many-modifiers: 'tex' has more than 30 modifiers");
  std::string many = "ld";
  for (int i = 0; i < 30; ++i) many += i % 2 == 0 ? ".relaxed" : ".L1::evict_last";
  EXPECT_TRUE(IssueOf(many).starts_with("modifier-conflict")) << IssueOf(many);
}

}  // namespace
}  // namespace ptxfarm::ptx::isa
