// What the server says of modules before anything is planned.
#include <gtest/gtest.h>

#include "tests/server/core_fixture.h"
#include "toolchain/ptx/check.h"

namespace ptxfarm::server {
namespace {

using action::Outcome;

std::string Module(const std::string& body, const std::string& before = "") {
  return ".version 7.0\n.target sm_75\n.address_size 64\n" + before +
         ".visible .entry k()\n{\n\t.reg .b32 %r<4>;\n" + body + "\n\tret;\n}\n";
}

TEST_F(CoreTest, AWrongModuleIsAnsweredWithoutAnyWorker) {
  const std::string text = Module("\tadd.u32 %r1, %r2;\n\tmov.u32 %nowhere, 1;");
  const auto sink = Start(Request({"sm_75", "sm_80"}, text));
  sink->Wait();
  ASSERT_FALSE(sink->error()) << sink->error()->message;
  for (const char* const target : {"sm_75", "sm_80"}) {
    const action::ActionResult& result = sink->Of(target).result;
    EXPECT_EQ(result.outcome, Outcome::kInputError);
    EXPECT_EQ(result.diagnostics, ptx::Check({"", text}).diagnostics)
        << "what `ptxfarm check` says";
    EXPECT_EQ(result.diagnostics.size(), 2u);
  }
}

TEST_F(CoreTest, AWrongModuleReachesNoWorkerAndItsVerdictIsTheSameAgain) {
  const auto worker = StartWorker();
  const std::string text = Module("\tmov.u32 %nowhere, 1;");
  const auto first = Start(Request({"sm_75"}, text));
  first->Wait();
  const auto second = Start(Request({"sm_75"}, text));
  second->Wait();
  EXPECT_EQ(worker->held(), 0u);
  EXPECT_EQ(first->Of("sm_75").result, second->Of("sm_75").result);
  EXPECT_EQ(first->Of("sm_75").result.diagnostics.at(0).place, (Place{7, 10}));
  // Nothing is stored, so that a server with other rules serves no verdict of this one.
  EXPECT_FALSE(first->Of("sm_75").action_sha256.has_value());
  EXPECT_EQ(LookUp(Request({"sm_75"}, text))->error()->code, Code::kNotFound);
}

TEST_F(CoreTest, WarningsGoWithHitsToo) {
  const auto worker = StartWorker();
  const std::string text = Module("", ".pragma \"no such pragma\";\n");
  const auto miss = Start(Request({"sm_75"}, text));
  worker->AnswerAll();
  miss->Wait();
  ASSERT_EQ(miss->module()->diagnostics.size(), 1u);
  EXPECT_EQ(miss->module()->diagnostics[0].kind, "unknown-pragma");
  const auto hit = Start(Request({"sm_75"}, text));
  hit->Wait();
  EXPECT_EQ(hit->Of("sm_75").served, rpc::Served::kHit);
  EXPECT_EQ(hit->module()->diagnostics, miss->module()->diagnostics);
  EXPECT_EQ(LookUp(Request({"sm_75"}, text))->module()->diagnostics, miss->module()->diagnostics);
}

TEST_F(CoreTest, WhatOnlyExceedsLimitsIsAResourceLimit) {
  const std::string large = ".shared .align 4 .b8 tile[50000];\n";
  const auto limit = Start(Request({"sm_75"}, Module("\tst.shared.u32 [tile], 1;", large)));
  limit->Wait();
  const action::ActionResult& result = limit->Of("sm_75").result;
  EXPECT_EQ(result.outcome, Outcome::kResourceLimit);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].asked, 50000u);
  EXPECT_EQ(result.diagnostics[0].allowed, 49152u);

  const auto wrong =
      Start(Request({"sm_75"}, Module("\tst.shared.u32 [tile], 1;\n\tbogus;", large)));
  wrong->Wait();
  EXPECT_EQ(wrong->Of("sm_75").result.outcome, Outcome::kInputError);
}

TEST_F(CoreTest, WhatIsDeclaredOnlyIsWrongInAWholeProgramAlone) {
  const auto worker = StartWorker();
  const std::string text = Module("\tcall helper;", ".extern .func helper();\n");
  const auto whole = Start(Request({"sm_75"}, text));
  whole->Wait();
  EXPECT_EQ(whole->Of("sm_75").result.outcome, Outcome::kInputError);
  for (const char* const option : {"-c", "-ewp"}) {
    rpc::CompileRequest request = Request({"sm_75"}, text);
    request.options = {option};
    const auto part = Start(std::move(request));
    worker->AnswerAll();
    part->Wait();
    EXPECT_EQ(part->Of("sm_75").result.outcome, Outcome::kOk) << option;
  }
  const auto again = Start(Request({"sm_75"}, text));
  again->Wait();
  EXPECT_EQ(again->Of("sm_75").result.outcome, Outcome::kInputError)
      << "one verdict doesn't stand for the other";
}

TEST_F(CoreTest, WhoAsksForItLeavesTheVerdictToTheCompiler) {
  const auto worker = StartWorker();
  rpc::CompileRequest request = Request({"sm_75"}, Module("\tbogus;"));
  request.unverified = true;
  const auto sink = Start(std::move(request));
  EXPECT_EQ(worker->AnswerAll(), 1u);
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_75").result.outcome, Outcome::kOk);
}

TEST_F(CoreTest, AServerMayLeaveTheVerdictToTheCompiler) {
  core_ = std::make_unique<Core>(clock_, *store_, CoreOptions{.verifies = false}, QueueOptions{}, 2,
                                 observer_);
  const auto worker = StartWorker();
  const auto sink = Start(Request({"sm_75"}, Module("\tbogus;")));
  EXPECT_EQ(worker->AnswerAll(), 1u);
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_75").result.outcome, Outcome::kOk);
}

TEST_F(CoreTest, AVersionNewerThanTheTablesIsForAToolchainToSay) {
  StartWorker();
  const auto sink = Start(
      Request({"sm_80"}, ".version 12.7\n.target sm_80\n.entry k() { of.the.future; ret; }\n"));
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_80").result.outcome, Outcome::kToolchainTooOld);
}

TEST_F(CoreTest, LargeTextsAreVerifiedAwayFromTheCaller) {
  core_ = std::make_unique<Core>(clock_, *store_, CoreOptions{}, QueueOptions{}, 2, observer_);
  StartWorker();
  std::string body;
  while (body.size() < 5'000'000) body += "\tadd.u32 %r1, %r2, %r3;\n";
  std::vector<std::shared_ptr<RecordingSink>> sinks;
  for (int i = 0; i < 3; ++i)
    sinks.push_back(Start(Request({"sm_75"}, Module(body + fmt::format("\tbogus{};", i)))));
  const auto small = Start(Request({"sm_75"}, Module("\tbogus;")));
  small->Wait();
  for (const auto& sink : sinks) {
    sink->Wait();
    EXPECT_EQ(sink->Of("sm_75").result.outcome, Outcome::kInputError);
  }
}

}  // namespace
}  // namespace ptxfarm::server
