#include "toolchain/target/target.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ptxfarm {
namespace {

using testing::HasSubstr;

TEST(TargetTest, EveryRowIsPrintedAndReadBack) {
  for (const Target& target : AllTargets()) {
    const Result<Target> parsed = ParseModuleTarget(target.ToString());
    ASSERT_TRUE(parsed) << parsed.error().ToString();
    EXPECT_EQ(*parsed, target);
    EXPECT_TRUE(IsPublished(target.ptx_version_min())) << target.ToString();
  }
}

TEST(TargetTest, RowsAreInAscendingOrder) {
  EXPECT_TRUE(std::is_sorted(AllTargets().begin(), AllTargets().end()));
  EXPECT_LT(*ParseTarget("sm_89"), *ParseTarget("sm_90"));
  EXPECT_LT(*ParseTarget("sm_90"), *ParseTarget("sm_90a"));
  EXPECT_LT(*ParseTarget("sm_90a"), *ParseTarget("sm_100"));
  EXPECT_LT(*ParseTarget("sm_90"), *ParseTarget("compute_90"));
}

TEST(TargetTest, KindsShareTheirRow) {
  const Target real = *ParseTarget("sm_100f");
  const Target text = *ParseTarget("compute_100f");
  EXPECT_EQ(real.kind(), TargetKind::kReal);
  EXPECT_EQ(text.kind(), TargetKind::kVirtual);
  EXPECT_EQ(ParseTarget("lto_100f")->kind(), TargetKind::kLinkTime);
  EXPECT_EQ(text.As(TargetKind::kReal), real);
  EXPECT_EQ(fmt::format("{} {}", real, text), "sm_100f compute_100f");
  EXPECT_EQ(real.family(), TargetFamily::k10x);
  EXPECT_EQ(real.suffix(), TargetSuffix::kFamily);
}

struct Wrong {
  const char* name;
  Code code;
  const char* says;  // A part of the message.
};

constexpr Wrong kWrongNames[] = {
    {"", Code::kInvalidArgument, "is empty"},
    {"SM_80", Code::kInvalidArgument, "did you mean sm_80?"},
    {"sm80", Code::kInvalidArgument, "did you mean sm_80?"},
    {"80", Code::kInvalidArgument, "did you mean sm_80?"},
    {"sm-90a", Code::kInvalidArgument, "did you mean sm_90a?"},
    {"sm_8.0", Code::kInvalidArgument, "did you mean sm_80?"},
    {"compute80", Code::kInvalidArgument, "did you mean compute_80?"},
    {"sm_80 ", Code::kInvalidArgument, "did you mean sm_80?"},
    {"sm_80,sm_90", Code::kInvalidArgument, "'sm_80,sm_90' is not the name"},
    {"s_m86", Code::kInvalidArgument, "did you mean sm_86?"},
    {"sn_86", Code::kInvalidArgument, "did you mean sm_86?"},
    {"sm_90b", Code::kInvalidArgument, "did you mean sm_90?"},
    {"sm_080", Code::kInvalidArgument, "is not the name"},
    {"sm_", Code::kInvalidArgument, "is not the name"},
    {"sm_99999999999999999999", Code::kInvalidArgument, "is not the name"},
    {"sm_\x01\xff", Code::kInvalidArgument, "sm_\\x01\\xff"},
    {"sm_80a", Code::kInvalidArgument, "begin with sm_90a; did you mean sm_80?"},
    {"sm_80f", Code::kInvalidArgument, "begin with sm_100f; did you mean sm_80?"},
    {"sm_90f", Code::kInvalidArgument, "did you mean sm_90a?"},
    {"sm_130", Code::kNotFound, "the newest target is sm_121"},
    {"compute_130a", Code::kNotFound, "the newest target is sm_121"},
    {"sm_82", Code::kNotFound, "did you mean sm_80?"},
    {"sm_85", Code::kNotFound, "did you mean sm_86?"},
    {"sm_91", Code::kNotFound, "did you mean sm_90?"},
    {"sm_70", Code::kFailedPrecondition, "CUDA 12.x"},
    {"sm_35", Code::kFailedPrecondition, "CUDA 11.x"},
    {"sm_20", Code::kFailedPrecondition, "CUDA 8.x"},
    {"sm_101", Code::kFailedPrecondition, "called sm_110 since PTX 9.0"},
    {"sm_101a", Code::kFailedPrecondition, "called sm_110a since PTX 9.0"},
    {"compute_101f", Code::kFailedPrecondition, "called compute_110f since PTX 9.0"},
};

class WrongTargetTest : public testing::TestWithParam<Wrong> {};

TEST_P(WrongTargetTest, SaysWhatIsWrongAndWhatWouldBeRight) {
  const Result<Target> parsed = ParseTarget(GetParam().name);
  ASSERT_FALSE(parsed) << parsed->ToString();
  EXPECT_EQ(parsed.error().code, GetParam().code) << parsed.error().ToString();
  EXPECT_THAT(parsed.error().message, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(Names, WrongTargetTest, testing::ValuesIn(kWrongNames));

TEST(TargetTest, AHugeNameGivesAShortMessage) {
  const Result<Target> parsed = ParseTarget(std::string(1 << 20, 'x'));
  ASSERT_FALSE(parsed);
  EXPECT_LT(parsed.error().message.size(), 300u);
}

TEST(TargetTest, RemovedTargetsStayAsTextAndInModules) {
  EXPECT_TRUE(ParseTarget("compute_70"));
  EXPECT_EQ(ParseModuleTarget("sm_70")->ToString(), "sm_70");
  EXPECT_EQ(ParseModuleTarget("sm_101a")->ToString(), "sm_101a");
  EXPECT_EQ(ParseModuleTarget("sm_82")->ToString(), "sm_82");
  // ptxas reads the virtual name in .target as the real one.
  EXPECT_EQ(ParseModuleTarget("compute_90a")->ToString(), "sm_90a");
  EXPECT_FALSE(ParseModuleTarget("lto_90"));
  EXPECT_FALSE(ParseModuleTarget("sm_90f"));
}

std::vector<std::string> Names(const std::vector<Target>& targets) {
  std::vector<std::string> names;
  for (const Target& target : targets) names.push_back(target.ToString());
  return names;
}

TEST(TargetListTest, SplitsAtCommasAndBlanks) {
  const Result<TargetList> list = ParseTargetList(" sm_80,sm_90a compute_90 ,\tsm_120\n");
  ASSERT_TRUE(list) << list.error().ToString();
  EXPECT_THAT(Names(list->targets),
              testing::ElementsAre("sm_80", "sm_90a", "compute_90", "sm_120"));
  EXPECT_TRUE(list->repeated.empty());
}

TEST(TargetListTest, KeepsTheFirstOfEachAndNamesTheRest) {
  const Result<TargetList> list = ParseTargetList("sm_90,sm_80,sm_90,compute_90,sm_90");
  ASSERT_TRUE(list) << list.error().ToString();
  EXPECT_THAT(Names(list->targets), testing::ElementsAre("sm_90", "sm_80", "compute_90"));
  EXPECT_THAT(Names(list->repeated), testing::ElementsAre("sm_90", "sm_90"));
}

constexpr Wrong kWrongLists[] = {
    {"", Code::kInvalidArgument, "the list of targets is empty"},
    {" \t\n", Code::kInvalidArgument, "the list of targets is empty"},
    {",", Code::kInvalidArgument, "an empty name"},
    {",sm_80", Code::kInvalidArgument, "an empty name"},
    {"sm_80,", Code::kInvalidArgument, "an empty name"},
    {"sm_80, ,sm_90", Code::kInvalidArgument, "an empty name"},
    {"sm_80;sm_90", Code::kInvalidArgument, "'sm_80;sm_90' is not the name"},
    {"sm_80 sm_70", Code::kFailedPrecondition, "sm_70 was removed"},
};

class WrongTargetListTest : public testing::TestWithParam<Wrong> {};

TEST_P(WrongTargetListTest, IsAnError) {
  const Result<TargetList> list = ParseTargetList(GetParam().name);
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code, GetParam().code);
  EXPECT_THAT(list.error().message, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(Lists, WrongTargetListTest, testing::ValuesIn(kWrongLists));

}  // namespace
}  // namespace ptxfarm
