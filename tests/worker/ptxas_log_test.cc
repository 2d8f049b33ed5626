#include "worker/ptxas/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "worker/ptxas/messages.h"

namespace ptxfarm::worker {
namespace {

using action::Outcome;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(PtxasLogTest, ReadsTheReportOfEachFunction) {
  const CompilerLog log = ReadLog(
      "ptxas info    : 0 bytes gmem, 64 bytes cmem[3]\n"
      "ptxas info    : Compiling entry function 'idle' for 'sm_80'\n"
      "ptxas info    : Function properties for idle\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 4 registers, used 0 barriers, 352 bytes cmem[0]\n"
      "ptxas info    : Compile time = 2.117 ms\n"
      "ptxas info    : Compiling entry function 'busy' for 'sm_80'\n"
      "ptxas info    : Function properties for busy\n"
      "    48 bytes stack frame, 24 bytes spill stores, 36 bytes spill loads\n"
      "ptxas info    : Used 10 registers, used 4 barriers, 48 bytes cumulative stack size, 4096 "
      "bytes smem, 360 bytes cmem[0], 8 bytes cmem[2]\n"
      "ptxas info    : Function properties for helper\n"
      "    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
  EXPECT_EQ(log.functions.size(), 3u);
  EXPECT_EQ(log.functions.at("busy"), (LogResources{.registers = 10,
                                                    .barriers = 4,
                                                    .shared_bytes = 4096,
                                                    .frame_bytes = 48,
                                                    .stack_bytes = 48,
                                                    .spill_store_bytes = 24,
                                                    .spill_load_bytes = 36,
                                                    .constant_bytes = {{0, 360}, {2, 8}}}));
  EXPECT_EQ(log.functions.at("idle").registers, 4u);
  EXPECT_EQ(log.functions.at("helper").frame_bytes, 16u);
  EXPECT_EQ(log.outcome, Outcome::kOk);
  EXPECT_TRUE(log.diagnostics.empty());
  EXPECT_THAT(log.text, Not(HasSubstr("Compile time")));
  EXPECT_THAT(log.text, HasSubstr("Used 10 registers"));
}

// The words of CUDA 8 to 11, which had no barriers or other punctuation, and words yet to come.
TEST(PtxasLogTest, ReadsOtherVersionsAndPassesOverUnknownWords) {
  const CompilerLog log = ReadLog(
      "ptxas info    : Compiling entry function 'k' for 'sm_35'\n"
      "ptxas info    : Used 12 registers, 1024 bytes smem, 348 bytes cmem[0], 3 zebras, stripes\n"
      "ptxas info    : Zebras counted\n"
      "    7 bytes of nothing\n"
      "nvlink info    : Used 99 registers\n"
      "ptxas\n"
      "ptxas info\n"
      "ptxas input.ptx, line \n"
      "ptxas input.ptx, line 99999999999; error : x\n");
  EXPECT_EQ(log.functions.at("k").registers, 12u);
  EXPECT_EQ(log.functions.at("k").shared_bytes, 1024u);
  EXPECT_TRUE(log.diagnostics.empty());
}

TEST(PtxasLogTest, SortsErrorsByPlaceAndDropsRepetitions) {
  const CompilerLog log = ReadLog(
      "ptxas input.ptx, line 23; error   : Illegal operand type to instruction 'ld'\n"
      "ptxas input.ptx, line 23; error   : Illegal operand type to instruction 'ld'\n"
      "ptxas input.ptx, line 12; error   : Unknown symbol 'INNER'\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n");
  EXPECT_EQ(log.outcome, Outcome::kInputError);
  EXPECT_THAT(log.diagnostics,
              ElementsAre(
                  LoggedDiagnostic{
                      {Severity::kError, "unknown-symbol", "Unknown symbol 'INNER'", {.line = 12}}},
                  LoggedDiagnostic{{Severity::kError,
                                    "compiler-error",
                                    "Illegal operand type to instruction 'ld'",
                                    {.line = 23}}}));
}

TEST(PtxasLogTest, KeepsAdviceAsAWarning) {
  const CompilerLog log = ReadLog(
      "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to "
      "determine register count at entry.\n"
      "ptxas warning : Local memory used for function 'busy', size of stack frame: 48 bytes\n");
  ASSERT_EQ(log.diagnostics.size(), 2u);
  EXPECT_EQ(log.diagnostics[0].diagnostic.kind, "performance");
  EXPECT_EQ(log.diagnostics[0].diagnostic.severity, Severity::kWarning);
  EXPECT_THAT(log.diagnostics[0].diagnostic.message, HasSubstr("C7508"));
  EXPECT_EQ(log.diagnostics[1].diagnostic.kind, "compiler-warning");
  EXPECT_EQ(log.outcome, Outcome::kOk);
}

TEST(PtxasLogTest, LimitsHaveTheirNumbersAndLines) {
  const CompilerLog log = ReadLog(
      "ptxas fatal   : Insufficient registers (24) to compile instruction at line 17 in function "
      "k. Try to compile with register target of 32 or higher.\n"
      "ptxas error   : Entry function 'too_big' uses too much shared data (0x10000 bytes, 0xc000 "
      "max)\n");
  ASSERT_EQ(log.diagnostics.size(), 2u);
  const LoggedDiagnostic& shared = log.diagnostics[0];
  EXPECT_EQ(shared.diagnostic.asked, 65536u);
  EXPECT_EQ(shared.diagnostic.allowed, 49152u);
  EXPECT_EQ(shared.subject, Subject::kShared);
  EXPECT_EQ(shared.name, "too_big");
  const Diagnostic& registers = log.diagnostics[1].diagnostic;
  EXPECT_EQ(registers.place.line, 17u) << "a line of the text that was compiled";
  EXPECT_THAT(registers.message, Not(HasSubstr("17")));
  EXPECT_EQ(registers.asked, 32u);
  EXPECT_EQ(registers.allowed, 24u);
}

TEST(PtxasLogTest, TellsWhatIsNotTheModulesFault) {
  EXPECT_TRUE(ReadLog("ptxas fatal   : Memory allocation failure\n").out_of_memory);
  EXPECT_TRUE(ReadLog("ptxas fatal   : Internal error: writing file\n").write_failed);
}

TEST(PtxasLogTest, BoundsDiagnosticsMessagesAndText) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += fmt::format("ptxas input.ptx, line {}; error   : {}\n", i + 1, std::string(2000, 'x'));
  const CompilerLog log = ReadLog(text);
  EXPECT_EQ(log.diagnostics.size(), 1000u);
  EXPECT_LE(log.diagnostics[0].diagnostic.message.size(), 1010u);
  EXPECT_LE(log.text.size(), action::kLogBytesMax);
}

struct Case {
  const char* message;
  const char* kind;
  Outcome outcome;
  const char* words;
};

class MessageTest : public testing::TestWithParam<Case> {};

TEST_P(MessageTest, HasItsKindAndWords) {
  const KnownMessage known = FindMessage(GetParam().message);
  ASSERT_NE(known.row, nullptr);
  EXPECT_EQ(known.row->kind, GetParam().kind);
  EXPECT_EQ(known.row->outcome, GetParam().outcome);
  EXPECT_THAT(known.words, HasSubstr(GetParam().words));
}

constexpr Case kCases[] = {
    {"Unsupported .version 9.4; current version is '9.0'", "toolchain-too-old",
     Outcome::kToolchainTooOld, "says .version 9.4, and this ptxas reads up to 9.0"},
    {"Entry function 'too_big' uses too much shared data (0x10000 bytes, 0xc000 max)",
     "shared-limit", Outcome::kResourceLimit,
     "asks for 65536 bytes of static shared memory, and "
     "49152 are allowed"},
    {"Entry function 'k' uses too much shared data (0x10000 bytes + 0x10 bytes system, 0xc000 max)",
     "shared-limit", Outcome::kResourceLimit, "65536 bytes of static shared memory besides 16"},
    {"File uses too much global constant data (0x10018 bytes, 0x10000 max)", "constant-limit",
     Outcome::kResourceLimit, "take 65560 bytes, and 65536 are allowed"},
    {"Entry function 'k' uses too much parameter space (0x1388 bytes, 0x1100 max).",
     "parameter-limit", Outcome::kResourceLimit, "5000 bytes of parameters, and 4352"},
    {"Entry function 'k' uses too much constant data (bank 2, 0x20000 bytes, 0x10000 max)",
     "constant-limit", Outcome::kResourceLimit, "131072 bytes of constant bank 2, and 65536"},
    {"Unresolved extern function 'helper'", "unresolved-symbol", Outcome::kInputError,
     "'helper' is only declared"},
    {"Instruction 'wgmma.fence' not supported on .target 'sm_90'", "needs-target",
     Outcome::kInputError, "write .target sm_90a and compile for sm_90a"},
    {"Instruction 'tcgen05.alloc' not supported on .target 'sm_90a'", "needs-target",
     Outcome::kInputError, "'tcgen05.alloc' doesn't exist on the module's .target sm_90a"},
    {"Duplicate file index #1", "duplicate-file", Outcome::kInputError, "file number 1 is given"},
    {"Feature 'add.f32x2' requires .target sm_100 or higher", "needs-target", Outcome::kInputError,
     "'add.f32x2' needs .target sm_100 or higher in the module"},
};
INSTANTIATE_TEST_SUITE_P(Known, MessageTest, testing::ValuesIn(kCases));

TEST(MessageTest, EveryPatternFitsItself) {
  for (const MessageRow& row : Messages()) {
    const KnownMessage known = FindMessage(row.pattern);
    ASSERT_NE(known.row, nullptr) << row.pattern;
    EXPECT_EQ(known.row->kind, row.kind) << row.pattern;
    EXPECT_THAT(known.words, Not(HasSubstr("{0}"))) << row.pattern;
  }
}

TEST(MessageTest, MatchesWholeMessagesOnly) {
  EXPECT_THAT(*Match("a {} b {}", "a 1 b 2 b 3"), ElementsAre("1", "2 b 3"));
  EXPECT_EQ(Match("a {} b", "a 1 c"), std::nullopt);
  EXPECT_EQ(Match("a", "a b"), std::nullopt);
  EXPECT_EQ(FindMessage("something never said before").row, nullptr);
}

}  // namespace
}  // namespace ptxfarm::worker
