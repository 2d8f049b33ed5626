// Modules whose .version no compiler here reads, and the older version that their contents allow.
#include <gtest/gtest.h>

#include "tests/server/core_fixture.h"

namespace ptxfarm::server {
namespace {

using action::Outcome;

// The workers of these tests read up to 9.0.
std::string Module(const std::string& version, const std::string& body = "") {
  return ".version " + version +
         "\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<4>;\n" + body +
         "\tret;\n}\n";
}

class BridgeTest : public CoreTest {
 protected:
  static rpc::CompileRequest Bridged(const std::string& text) {
    rpc::CompileRequest request = Request({"sm_75"}, text);
    request.bridge = true;
    return request;
  }
};

TEST_F(BridgeTest, AModuleIsCompiledAsTheNewestVersionThatACompilerReads) {
  const auto worker = StartWorker();
  const auto sink = Start(Bridged(Module("9.4")));
  worker->AnswerAll([](const rpc::Lease& lease) {
    EXPECT_TRUE(lease.inputs.at(0).Plain().value().starts_with(".version 9.0\n"));
    return ScriptedWorker::Compiled(lease);
  });
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_75").result.outcome, Outcome::kOk);
  ASSERT_TRUE(sink->module()->compiled_as.has_value());
  EXPECT_EQ(*sink->module()->compiled_as, (PtxVersion{9, 0}));
  EXPECT_EQ(sink->module()->version, (PtxVersion{9, 4})) << "what the module says of itself";
  EXPECT_EQ(sink->module()->digest, DigestOf(Module("9.4")));
  ASSERT_EQ(sink->module()->diagnostics.size(), 1u);
  EXPECT_EQ(sink->module()->diagnostics[0].kind, "bridged");
  EXPECT_EQ(sink->module()->diagnostics[0].place, (Place{1, 10}));
}

TEST_F(BridgeTest, ItsKeyIsThatOfTheTextCompiled) {
  const auto worker = StartWorker();
  const auto first = Start(Bridged(Module("9.4")));
  worker->AnswerAll();
  first->Wait();
  const auto older = Start(Request({"sm_75"}, Module("9.0")));
  older->Wait();
  EXPECT_EQ(older->Of("sm_75").served, rpc::Served::kHit);
  EXPECT_EQ(older->Of("sm_75").action_sha256, first->Of("sm_75").action_sha256);
  const auto look_up = LookUp(Bridged(Module("9.4")));
  ASSERT_FALSE(look_up->error()) << look_up->error()->message;
  EXPECT_EQ(look_up->Of("sm_75").served, rpc::Served::kHit);
  EXPECT_TRUE(look_up->module()->compiled_as.has_value());
}

TEST_F(BridgeTest, WhoDoesntAskForItIsToldOfIt) {
  const auto worker = StartWorker();
  const auto sink = Start(Request({"sm_75"}, Module("9.4")));
  sink->Wait();
  const action::ActionResult& result = sink->Of("sm_75").result;
  EXPECT_EQ(result.outcome, Outcome::kToolchainTooOld);
  EXPECT_NE(result.diagnostics.at(0).hint.find("--bridge"), std::string::npos);
  EXPECT_FALSE(sink->module()->compiled_as.has_value());
  EXPECT_EQ(worker->held(), 0u);
}

TEST_F(BridgeTest, ContentsThatNeedTheNewVersionAreNotBridged) {
  const auto worker = StartWorker();
  const std::string text =
      ".version 9.4\n.target sm_80\n.address_size 64\n.visible .entry k() .minperctamemory 1024\n"
      "{\n\tret;\n}\n";
  for (const bool bridge : {false, true}) {
    rpc::CompileRequest request = Request({"sm_80"}, text);
    request.bridge = bridge;
    const auto sink = Start(std::move(request));
    sink->Wait();
    const action::ActionResult& result = sink->Of("sm_80").result;
    EXPECT_EQ(result.outcome, Outcome::kToolchainTooOld);
    EXPECT_EQ(result.diagnostics.at(0).hint.find("--bridge"), std::string::npos);
  }
  EXPECT_EQ(worker->held(), 0u);
}

TEST_F(BridgeTest, AVersionThatACompilerReadsStays) {
  const auto worker = StartWorker();
  const auto sink = Start(Bridged(Module("8.0")));
  worker->AnswerAll([](const rpc::Lease& lease) {
    EXPECT_TRUE(lease.inputs.at(0).Plain().value().starts_with(".version 8.0\n"));
    return ScriptedWorker::Compiled(lease);
  });
  sink->Wait();
  EXPECT_FALSE(sink->module()->compiled_as.has_value());
  EXPECT_TRUE(sink->module()->diagnostics.empty());
}

TEST_F(BridgeTest, TheVerifierMustHaveItsSay) {
  rpc::CompileRequest request = Bridged(Module("9.4"));
  request.unverified = true;
  const auto sink = Start(std::move(request));
  sink->Wait();
  EXPECT_EQ(sink->error()->code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace ptxfarm::server
