// Wrong PTX and a farm of real processes: who says what is wrong, and what it costs a worker.
#include <gtest/gtest.h>

#include "tests/integration/farm_fixture.h"
#include "tests/support/toolkit.h"
#include "toolchain/ptx/check.h"

namespace ptxfarm::test {
namespace {

std::string WrongModule() {
  std::string text = SmallModule("k");
  text.insert(text.find("mov.u32"), "mov.u32 %nowhere, 1;\n");
  return text;
}

TEST_F(FarmTest, AWrongModuleIsAnsweredThoughNoWorkerIsThere) {
  StartServer();
  const auto reply = Connect().Compile({.text = WrongModule(), .targets = {"sm_80", "sm_90"}});
  ASSERT_TRUE(reply.has_value()) << reply.error().ToString();
  for (const client::TargetReply& target : reply->targets) {
    EXPECT_EQ(target.result.outcome, action::Outcome::kInputError);
    EXPECT_EQ(target.result.diagnostics, ptx::Check({"", WrongModule()}).diagnostics);
  }
}

TEST_F(FarmTest, TheServersMetricsCountWhatItRefuses) {
  StartServer({"--http", "127.0.0.1:0"});
  StartWorker();
  const std::optional<std::string> line = server_->WaitForLine("page_listening");
  ASSERT_TRUE(line.has_value()) << server_->output();
  const std::string url = line->substr(line->find("url=") + 4);
  const client::Client farm = Connect();
  ASSERT_TRUE(farm.Compile({.text = WrongModule(), .targets = {"sm_80"}}).has_value());
  ASSERT_TRUE(farm.Compile({.text = SmallModule("right"), .targets = {"sm_80"}}).has_value());
  const std::string metrics = RunShell("curl -s " + url + "/metrics").output;
  EXPECT_NE(metrics.find("ptxfarm_server_modules_total{verdict=\"refused\"} 1"), std::string::npos);
  EXPECT_NE(metrics.find("ptxfarm_server_modules_total{verdict=\"accepted\"} 1"),
            std::string::npos);
  EXPECT_NE(metrics.find("ptxfarm_server_compile_duration_seconds_count{backend=\"ptxas\","
                         "target=\"sm_80\"} 1"),
            std::string::npos)
      << "one of the two reached the worker";
}

TEST_F(FarmTest, WithoutTheVerifierTheCompilerFindsTheFault) {
  StartServer({"--verify", "off"});
  StartWorker();
  const auto reply = Connect().Compile({.text = WrongModule(), .targets = {"sm_80"}});
  ASSERT_TRUE(reply.has_value()) << reply.error().ToString();
  const action::ActionResult& result = reply->targets.at(0).result;
  EXPECT_EQ(result.outcome, action::Outcome::kInputError);
  EXPECT_EQ(result.compiler.backend, "ptxas");
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].place.line,
            ptx::Check({"", WrongModule()}).diagnostics[0].place.line);
}

TEST_F(FarmTest, ARequestMayLeaveTheVerdictToTheCompiler) {
  StartServer();
  StartWorker();
  const auto reply =
      Connect().Compile({.text = WrongModule(), .targets = {"sm_80"}, .unverified = true});
  ASSERT_TRUE(reply.has_value()) << reply.error().ToString();
  EXPECT_EQ(reply->targets.at(0).result.compiler.backend, "ptxas");
}

TEST_F(FarmTest, AModuleOfANewerVersionIsBridgedToTheToolkits) {
  PTXFARM_NEED_TOOLKIT();
  StartServer();
  StartWorker();
  std::string text = SmallModule("k");
  const std::size_t at = text.find(".version ") + 9;
  const std::size_t length = text.find('\n', at) - at;
  text.replace(at, length, "9.4");
  const client::Client farm = Connect();
  const auto capabilities = farm.GetCapabilities();
  ASSERT_TRUE(capabilities.has_value()) << capabilities.error().ToString();
  const PtxVersion newest = capabilities->compilers.front().ptx_version_max;
  if (newest >= PtxVersion{9, 4}) GTEST_SKIP() << "the toolkit here reads 9.4";

  const auto refused = farm.Compile({.text = text, .targets = {"sm_80"}});
  ASSERT_TRUE(refused.has_value()) << refused.error().ToString();
  EXPECT_EQ(refused->targets.at(0).result.outcome, action::Outcome::kToolchainTooOld);

  const auto bridged = farm.Compile({.text = text, .targets = {"sm_80"}, .bridge = true});
  ASSERT_TRUE(bridged.has_value()) << bridged.error().ToString();
  ASSERT_TRUE(bridged->targets.at(0).ok());
  EXPECT_EQ(bridged->module.compiled_as, newest);

  text.replace(at, 3, newest.ToString());
  const auto older = farm.Compile({.text = text, .targets = {"sm_80"}});
  ASSERT_TRUE(older.has_value()) << older.error().ToString();
  EXPECT_EQ(older->targets.at(0).served, rpc::Served::kHit);
  EXPECT_EQ(older->targets.at(0).object, bridged->targets.at(0).object);
}

}  // namespace
}  // namespace ptxfarm::test
