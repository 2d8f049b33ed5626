#include "server/compilers.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "store/stores.h"

namespace ptxfarm::server {
namespace {

action::Compiler Ptxas(const std::string& version, PtxVersion ptx,
                       std::vector<std::string> targets) {
  return {.identity = {"ptxas", version, DigestOf(version).sha256},
          .ptx_version_max = ptx,
          .targets = std::move(targets)};
}

class CompilersTest : public testing::Test {
 protected:
  std::string Choose(const std::string& target, PtxVersion version,
                     const std::string& wanted = "") {
    const auto chosen = registry_->ChooseForPtx(ParseTarget(target).value(), version, wanted);
    return chosen ? chosen->version : chosen.error().diagnostics.at(0).kind;
  }

  RealClock clock_;
  std::unique_ptr<Store> store_ = OpenStore({.path = ""}, clock_).value();
  std::unique_ptr<CompilerRegistry> registry_ = std::make_unique<CompilerRegistry>(store_->facts());
  const action::Compiler bundler_{.identity = {"ptxfarm", "1", DigestOf("bundler").sha256}};
  const action::Compiler old_ = Ptxas("12.4.131", {8, 4}, {"sm_75", "sm_80", "sm_90"});
  const action::Compiler new_ = Ptxas("13.0.88", {9, 0}, {"sm_75", "sm_80", "sm_90", "sm_100"});
};

TEST_F(CompilersTest, TheNewestThatFitsIsChosen) {
  registry_->Join({old_, new_});
  EXPECT_EQ(Choose("sm_90", {8, 0}), "13.0.88");
  EXPECT_EQ(Choose("sm_90", {9, 1}), "toolchain-too-old");
  EXPECT_EQ(Choose("sm_121", {9, 0}), "toolchain-lacks-target");
}

TEST_F(CompilersTest, OnesWithAWorkerGoBeforeNewerOnesWithout) {
  registry_->Join({old_, new_});
  registry_->Leave({new_});
  EXPECT_EQ(Choose("sm_90", {8, 0}), "12.4.131");
  registry_->Leave({old_});
  EXPECT_EQ(Choose("sm_90", {8, 0}), "13.0.88")
      << "with no worker at all, hits of the newest are found";
}

TEST_F(CompilersTest, ACallerMayNameTheVersion) {
  registry_->Join({old_, new_});
  EXPECT_EQ(Choose("sm_90", {8, 0}, "ptxas@12.4"), "12.4.131");
  EXPECT_EQ(Choose("sm_90", {8, 0}, "ptxas@12.4.131"), "12.4.131");
  EXPECT_EQ(Choose("sm_90", {8, 0}, "ptxas@12.4.13"), "no-compiler");
  EXPECT_EQ(Choose("sm_90", {8, 0}, "gcc"), "unknown-compiler");
}

TEST_F(CompilersTest, TheStoreRemembersThem) {
  registry_->Join({new_});
  EXPECT_EQ(registry_->Here(), std::vector{new_});
  EXPECT_TRUE(registry_->Remembered().empty());
  registry_ = std::make_unique<CompilerRegistry>(store_->facts());
  EXPECT_TRUE(registry_->Here().empty());
  EXPECT_EQ(registry_->Remembered(), std::vector{new_});
  EXPECT_EQ(Choose("sm_90", {8, 0}), "13.0.88");
}

TEST_F(CompilersTest, WaitingForOneThatNoWorkerHasIsInVainOnceOtherWorkersAreHere) {
  const Target target = ParseTarget("sm_90").value();
  registry_->Join({new_});
  EXPECT_FALSE(registry_->WhyAbsent(new_.identity, target).has_value());
  registry_->Leave({new_});
  EXPECT_FALSE(registry_->WhyAbsent(new_.identity, target).has_value()) << "its worker may be back";
  registry_->Join({bundler_});
  const std::optional<action::ActionResult> no_toolkit =
      registry_->WhyAbsent(new_.identity, target);
  ASSERT_TRUE(no_toolkit.has_value());
  EXPECT_EQ(no_toolkit->outcome, action::Outcome::kToolchainTooOld);
  EXPECT_NE(no_toolkit->diagnostics.at(0).message.find("a CUDA toolkit"), std::string::npos);
  registry_->Join({old_});
  const std::optional<action::ActionResult> other = registry_->WhyAbsent(new_.identity, target);
  ASSERT_TRUE(other.has_value());
  EXPECT_NE(other->diagnostics.at(0).message.find("ptxas 13.0.88"), std::string::npos);
}

TEST_F(CompilersTest, NoneAtAllSaysWhatToInstall) {
  EXPECT_EQ(Choose("sm_90", {8, 0}), "no-compiler");
  EXPECT_FALSE(registry_->ChooseBundler().has_value());
}

}  // namespace
}  // namespace ptxfarm::server
