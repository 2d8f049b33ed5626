// Golden: tests/golden/plan/NAME.ptx names GPUs in its first line, NAME.txt is what is said of it.
#include "client/report/plan_report.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/toolchain/ptx/golden.h"

namespace ptxfarm::client {
namespace {

constexpr std::string_view kGpusHead = "// gpus: ";

std::vector<Target> GpusOfFirstLine(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  if (!line.starts_with(kGpusHead)) return {};
  return ParseTargetList(line.substr(kGpusHead.size()))->targets;
}

ModulePlan PlanFile(const test::GoldenFile& file) {
  const ptx::Source source{file.name, file.text};
  const ptx::CheckResult checked = ptx::Check(source);
  EXPECT_TRUE(checked.is_accepted) << file.name;
  return PlanOf(source, checked, GpusOfFirstLine(file.text));
}

TEST(PlanReportTest, SaysWhatAModuleNeedsAndWhatToMake) {
  const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  for (const test::GoldenFile& file : test::GoldenFiles("plan")) {
    const std::string said = RenderPlan(PlanFile(file), file.name, false);
    std::string path = file.path;
    path.replace(path.size() - 3, 3, "txt");
    if (update) {
      std::ofstream(path) << said;
      continue;
    }
    const Result<std::string> expected = ReadFile(path, 1 << 20);
    ASSERT_TRUE(expected) << path;
    EXPECT_EQ(said, *expected) << file.name;
  }
}

TEST(PlanReportTest, SaysTheSameAsJson) {
  for (const test::GoldenFile& file : test::GoldenFiles("plan")) {
    if (file.name != "async.ptx") continue;
    const Json json = ToJson(PlanFile(file));
    EXPECT_EQ(json["lowest"]["ptx_version"], "7.0");
    EXPECT_EQ(json["lowest"]["ptx_target_for"]["line"], 10);
    EXPECT_EQ(json["targets"], "sm_80,sm_87,sm_90,compute_80");
    EXPECT_EQ(json["cubins"][0]["gpus"], (Json{"sm_80", "sm_86", "sm_89"}));
    EXPECT_EQ(json["uncovered"][0]["gpu"], "sm_75");
    EXPECT_EQ(json["uncovered"][0]["other_head"], nullptr);
  }
}

}  // namespace
}  // namespace ptxfarm::client
