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

}  // namespace
}  // namespace ptxfarm::test
