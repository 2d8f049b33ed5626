#include "toolchain/ptx/lowest_head.h"

#include <gtest/gtest.h>

#include "tests/toolchain/ptx/cases.h"
#include "toolchain/ptx/check.h"

namespace ptxfarm::ptx {
namespace {

std::optional<LowestHead> LowestOf(const std::string& text) {
  const CheckResult checked = Check({"k.ptx", text});
  if (!checked.is_accepted) {
    ADD_FAILURE() << text << Format(checked.diagnostics.at(0), "k.ptx");
    return std::nullopt;
  }
  return FindLowestHead(*checked.head, checked.needs);
}

struct Case {
  const char* target;
  const char* body;
  const char* lowest;  // "version target"
  const char* version_for;
  const char* target_for;
};

TEST(LowestHeadTest, NamesWhatForcesIt) {
  const Case cases[] = {
      {"sm_90", "cp.async.wait_all;", "7.0 sm_80", "'cp.async.wait_all'", "'cp.async.wait_all'"},
      {"sm_90", "bar.sync 0;", "6.0 sm_70", "'.target sm_70'",
       "below sm_70 the threads of a warp may run in lockstep"},
      {"sm_60", "bar.sync 0;", "2.0 sm_20", "'.target sm_20'",
       "below sm_20 f32 flushes subnormal numbers and divides less exactly"},
      {"sm_90a", "wgmma.fence.sync.aligned;", "8.0 sm_90a", "'wgmma.fence.sync.aligned'",
       "'wgmma.fence.sync.aligned'"},
      {"sm_90", "barrier.cluster.arrive;", "7.8 sm_90", "'barrier.cluster.arrive'",
       "'barrier.cluster.arrive'"},
  };
  for (const Case& one : cases) {
    const std::optional<LowestHead> lowest = LowestOf(
        fmt::format(".version 9.0\n.target {}\n.entry k() {{ {} ret; }}\n", one.target, one.body));
    ASSERT_TRUE(lowest) << one.body;
    EXPECT_EQ(fmt::format("{} {}", lowest->version, lowest->target), one.lowest) << one.body;
    EXPECT_EQ(lowest->version_reason.what, one.version_for) << one.body;
    EXPECT_EQ(lowest->target_reason.what, one.target_for) << one.body;
  }
}

TEST(LowestHeadTest, CountsWhatTheHeadAndTheParametersAskFor) {
  EXPECT_EQ(
      LowestOf(".version 9.0\n.target sm_50, texmode_independent\n.entry k() { ret; }\n")->version,
      (PtxVersion{2, 0}));
  EXPECT_EQ(
      LowestOf(".version 9.0\n.target sm_50\n.address_size 64\n.entry k() { ret; }\n")->version,
      (PtxVersion{2, 3}));
  const std::optional<LowestHead> large =
      LowestOf(".version 9.0\n.target sm_80\n.entry k(.param .align 8 .b8 p[5000]) { ret; }\n");
  EXPECT_EQ(large->version, (PtxVersion{8, 1}));
  EXPECT_EQ(large->version_reason.what, "5000 bytes of parameters");
}

TEST(LowestHeadTest, FindsAHeadForAnotherGpu) {
  const CheckResult checked =
      Check({"k.ptx", ".version 9.0\n.target sm_100f\n.entry k() { cp.async.wait_all; ret; }\n"});
  ASSERT_TRUE(checked.is_accepted);
  const auto other = FindHeadFor(*checked.head, checked.needs, *ParseTarget("sm_86"));
  ASSERT_TRUE(other);
  EXPECT_EQ(fmt::format("{} {}", other->version, other->target), "7.0 sm_80");
  EXPECT_FALSE(FindHeadFor(*checked.head, checked.needs, *ParseTarget("sm_75")));
}

TEST(LowestHeadTest, WritesAnotherVersionAndNothingElse) {
  const std::string text = "// k\n.version 9.4\n.target sm_80\n.entry k() { ret; }\n";
  const CheckResult checked = Check({"k.ptx", text});
  EXPECT_EQ(WithVersion(text, checked.head->version_offset, {9, 0}),
            "// k\n.version 9.0\n.target sm_80\n.entry k() { ret; }\n");
}

// The text under its lowest head.
std::string Lowered(std::string text, const ModuleHead& head, const LowestHead& lowest) {
  const std::size_t end = text.find_first_not_of("smcoputeabf_0123456789", head.target_offset);
  text.replace(head.target_offset, end - head.target_offset, lowest.target.ToString());
  return WithVersion(text, head.version_offset, lowest.version);
}

void ExpectHoldsLowered(const std::string& name, const std::string& text, std::size_t& count) {
  const VerifyOptions options{.gpus = {}, .is_relocatable = true};
  const CheckResult checked = Check({name, text}, options);
  if (!checked.is_accepted) return;
  // Where several targets are named, another one stays.
  if (text.find("sm_") != text.rfind("sm_")) return;
  const std::optional<LowestHead> lowest = FindLowestHead(*checked.head, checked.needs);
  if (!lowest) return;
  EXPECT_LE(lowest->version, std::max(checked.head->version, lowest->target.ptx_version_min()))
      << name;
  const std::string lowered = Lowered(text, *checked.head, *lowest);
  const CheckResult again = Check({name, lowered}, options);
  EXPECT_TRUE(again.is_accepted) << name << '\n'
                                 << lowered << Format(again.diagnostics.at(0), name);
  ++count;
}

// What is said to be the lowest is enough: the verifier accepts every sample module under it.
TEST(LowestHeadTest, IsEnoughForEverySample) {
  std::size_t count = 0;
  for (const test::GoldenFile& file : test::GoldenFiles("ptx/modules"))
    ExpectHoldsLowered(file.name, file.text, count);
  for (const auto& entry : std::filesystem::directory_iterator(test::GoldenFolder("ptx-cases")))
    if (entry.path().filename() != "exceptions.txt")
      for (const test::PtxCase& one : test::ReadCases(entry.path().filename()))
        ExpectHoldsLowered(one.name(), one.text, count);
  EXPECT_GT(count, 800u);
}

}  // namespace
}  // namespace ptxfarm::ptx
