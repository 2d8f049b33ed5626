#include "action/compiler.h"

#include <gtest/gtest.h>

namespace ptxfarm::action {
namespace {

TEST(CompilerTest, VersionsCompareByNumber) {
  EXPECT_TRUE(VersionLess("12.9.86", "13.0.88"));
  EXPECT_TRUE(VersionLess("12.10.1", "13.0"));
  EXPECT_TRUE(VersionLess("13.0.9", "13.0.88"));
  EXPECT_TRUE(VersionLess("13.0", "13.0.1"));
  EXPECT_FALSE(VersionLess("13.0.88", "13.0.88"));
  EXPECT_FALSE(VersionLess("13.0.88", "13.0.9"));
}

TEST(CompilerTest, ATargetIsItsWholeName) {
  const Compiler compiler{.targets = {"sm_90a"}};
  EXPECT_TRUE(compiler.HasTarget("sm_90a"));
  EXPECT_FALSE(compiler.HasTarget("sm_90"));
}

}  // namespace
}  // namespace ptxfarm::action
