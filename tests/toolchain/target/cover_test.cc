#include "toolchain/target/cover.h"

#include <algorithm>
#include <bit>

#include <gtest/gtest.h>

#include "toolchain/target/reach.h"

namespace ptxfarm {
namespace {

std::vector<Target> ListOf(std::string_view names) { return ParseTargetList(names)->targets; }

// "sm_80: sm_80 sm_86; sm_87: sm_87"
std::string CubinsOf(const Cover& cover) {
  std::string text;
  for (const CoveringCubin& cubin : cover.cubins) {
    text += fmt::format("{}{}:", text.empty() ? "" : "; ", cubin.target);
    for (const Target& gpu : cubin.gpus) text += fmt::format(" {}", gpu);
  }
  return text;
}

struct Case {
  const char* module;
  const char* gpus;
  const char* cubins;
  const char* text;  // Empty where none.
};

TEST(CoverTest, GivesEachGpuACubin) {
  const Case cases[] = {
      {"sm_75", "sm_75", "sm_75: sm_75", "compute_75"},
      {"sm_80", "sm_89,sm_86,sm_80", "sm_80: sm_80 sm_86 sm_89", "compute_80"},
      {"sm_80", "sm_86,sm_87,sm_89", "sm_86: sm_86 sm_89; sm_87: sm_87", "compute_80"},
      {"sm_52", "sm_80,sm_90,sm_100,sm_103", "sm_80: sm_80; sm_90: sm_90; sm_100: sm_100 sm_103",
       "compute_52"},
      {"sm_90a", "sm_90", "sm_90a: sm_90", ""},
      {"sm_90a", "sm_90a", "sm_90a: sm_90", ""},
      {"sm_100f", "sm_100,sm_103", "sm_100f: sm_100 sm_103", "compute_100f"},
      {"sm_100f", "sm_103", "sm_103f: sm_103", "compute_100f"},
      {"sm_120f", "sm_120,sm_121", "sm_120f: sm_120 sm_121", "compute_120f"},
      {"sm_100a", "sm_100,sm_103", "sm_100a: sm_100", ""},
      {"sm_101f", "sm_110", "sm_110f: sm_110", "compute_110f"},
      {"sm_90", "sm_75", "", "compute_90"},
  };
  for (const Case& one : cases) {
    const Cover cover = CoverOf(*ParseModuleTarget(one.module), ListOf(one.gpus));
    EXPECT_EQ(CubinsOf(cover), one.cubins) << one.module << " on " << one.gpus;
    EXPECT_EQ(cover.text ? cover.text->ToString() : "", one.text) << one.module;
    EXPECT_FALSE(cover.text_why.empty());
  }
}

TEST(CoverTest, SaysWhyAGpuIsLeftOut) {
  const Cover cover = CoverOf(*ParseModuleTarget("sm_100a"), ListOf("sm_90,sm_100,sm_103"));
  ASSERT_EQ(cover.uncovered.size(), 2u);
  EXPECT_EQ(cover.uncovered[0].gpu.ToString(), "sm_90");
  EXPECT_NE(cover.uncovered[1].why.find("compiles for sm_100a only"), std::string::npos);
}

// Tries every set of cubins that the module can be compiled to, smallest first.
std::size_t FewestByTrial(const Target& module, const std::vector<Target>& gpus) {
  std::vector<u32> covers;
  for (const Target& cubin : AllTargets()) {
    if (cubin.status() != TargetStatus::kCurrent || !CanCompile(module, cubin)) continue;
    u32 covered = 0;
    for (std::size_t i = 0; i < gpus.size(); ++i)
      if (CubinRunsOn(cubin, gpus[i])) covered |= u32{1} << i;
    if (covered != 0) covers.push_back(covered);
  }
  u32 wanted = 0;
  for (const u32 covered : covers) wanted |= covered;
  std::sort(covers.begin(), covers.end());
  covers.erase(std::unique(covers.begin(), covers.end()), covers.end());
  std::size_t fewest = gpus.size();
  for (u32 chosen = 0; chosen < u32{1} << covers.size(); ++chosen) {
    u32 covered = 0;
    for (std::size_t i = 0; i < covers.size(); ++i)
      if ((chosen >> i & 1) != 0) covered |= covers[i];
    if (covered == wanted) fewest = std::min<std::size_t>(fewest, std::popcount(chosen));
  }
  return fewest;
}

TEST(CoverTest, NoFewerCubinsWouldDo) {
  const std::vector<std::string> lists = {
      "sm_75,sm_80,sm_86,sm_89", "sm_86,sm_87,sm_88,sm_89", "sm_90,sm_100,sm_103,sm_107",
      "sm_103,sm_107,sm_110",    "sm_110,sm_120,sm_121",    "sm_80,sm_90,sm_100,sm_120",
  };
  for (const Target& module : AllTargets()) {
    for (const std::string& list : lists) {
      const std::vector<Target> gpus = ListOf(list);
      const Cover cover = CoverOf(module, gpus);
      EXPECT_EQ(cover.cubins.size(), FewestByTrial(module, gpus))
          << module.ToString() << " on " << list;
      std::size_t covered = cover.uncovered.size();
      for (const CoveringCubin& cubin : cover.cubins) {
        EXPECT_TRUE(CanCompile(module, cubin.target));
        covered += cubin.gpus.size();
        for (const Target& gpu : cubin.gpus) EXPECT_TRUE(CubinRunsOn(cubin.target, gpu));
      }
      EXPECT_EQ(covered, gpus.size()) << "each GPU is somewhere";
    }
  }
}

}  // namespace
}  // namespace ptxfarm
