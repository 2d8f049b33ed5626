// The structural tier of the key: whom it serves one result, and where it gives way.
#include <gtest/gtest.h>

#include "tests/server/core_fixture.h"

namespace ptxfarm::server {
namespace {

std::string Module(const std::string& name, const std::string& statement = "") {
  return ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 " +
         name + "<4>;\n" + statement + "\tmov.b32 " + name + "1, 1;\n\tret;\n}\n";
}

rpc::CompileRequest Structural(rpc::CompileRequest request) {
  request.key_tier = rpc::KeyTier::kStructural;
  return request;
}

class StructuralTierTest : public CoreTest {
 protected:
  rpc::KeyTier TierOf(rpc::CompileRequest request) {
    const auto sink = Start(Structural(std::move(request)));
    worker_->AnswerAll();
    sink->Wait();
    EXPECT_EQ(sink->Of("sm_75").result.outcome, action::Outcome::kOk);
    return sink->Of("sm_75").key_tier;
  }

  std::shared_ptr<ScriptedWorker> worker_ = StartWorker();
};

TEST_F(StructuralTierTest, OtherNamesHit) {
  EXPECT_EQ(TierOf(Request({"sm_75"}, Module("%r"))), rpc::KeyTier::kStructural);
  const auto other = Start(Structural(Request({"sm_75"}, Module("%other"))));
  other->Wait();
  EXPECT_EQ(other->Of("sm_75").served, rpc::Served::kHit);
  EXPECT_EQ(other->Of("sm_75").key_tier, rpc::KeyTier::kStructural);
  EXPECT_EQ(other->module()->digest, DigestOf(Module("%other")));
  EXPECT_EQ(LookUp(Structural(Request({"sm_75"}, Module("%other"))))->Of("sm_75").served,
            rpc::Served::kHit);
}

TEST_F(StructuralTierTest, OnlyWhoAsksForItGetsIt) {
  TierOf(Request({"sm_75"}, Module("%r")));
  const auto plain = Start(Request({"sm_75"}, Module("%other")));
  EXPECT_EQ(worker_->AnswerAll(), 1u);
  plain->Wait();
  EXPECT_EQ(plain->Of("sm_75").served, rpc::Served::kMiss);
  EXPECT_EQ(plain->Of("sm_75").key_tier, rpc::KeyTier::kLexical);
}

TEST_F(StructuralTierTest, GivesWayWhereNamesOrLinesAreInTheResult) {
  rpc::CompileRequest lines = Request({"sm_75"}, Module("%r"));
  lines.options = {"-lineinfo"};
  EXPECT_EQ(TierOf(lines), rpc::KeyTier::kExact);
  EXPECT_EQ(TierOf(Request({"sm_75"}, Module("%r", ".loc 1 1 1\n"))), rpc::KeyTier::kExact);
  rpc::CompileRequest relocatable = Request({"sm_75"}, Module("%r"));
  relocatable.options = {"-c"};
  EXPECT_EQ(TierOf(relocatable), rpc::KeyTier::kExact);
  rpc::CompileRequest member = Request({"sm_75", "compute_75"}, Module("%r"));
  member.want_fatbin = true;
  EXPECT_EQ(TierOf(member), rpc::KeyTier::kLexical);
}

TEST_F(StructuralTierTest, ATextWithoutTheFormIsLexicalEachTime) {
  const std::string text =
      ".version 8.0\n.target sm_75\n.global .b32 %b32_0;\n.visible .entry k()\n{\n"
      ".reg .b32 %x; mov.b32 %x, 1; ret;\n}\n";
  EXPECT_EQ(TierOf(Request({"sm_75"}, text)), rpc::KeyTier::kLexical);
  const auto look_up = LookUp(Structural(Request({"sm_75"}, text)));
  ASSERT_FALSE(look_up->error()) << look_up->error()->message;
  EXPECT_EQ(look_up->Of("sm_75").key_tier, rpc::KeyTier::kLexical);
}

TEST_F(StructuralTierTest, GoesTogetherWithTheBridge) {
  const auto text = [](const std::string& version, const std::string& name) {
    std::string module = Module(name);
    return module.replace(9, 3, version);
  };
  rpc::CompileRequest newer = Request({"sm_75"}, text("9.4", "%r"));
  newer.bridge = true;
  EXPECT_EQ(TierOf(newer), rpc::KeyTier::kStructural);
  const auto older = Start(Structural(Request({"sm_75"}, text("9.0", "%q"))));
  older->Wait();
  EXPECT_EQ(older->Of("sm_75").served, rpc::Served::kHit);
}

TEST_F(StructuralTierTest, WhatACompilerSaysIsOfTheUsersLine) {
  const auto sink = Start(Structural(Request({"sm_75"}, Module("%r"))));
  worker_->AnswerAll([](const rpc::Lease& lease) {
    const std::string text = lease.inputs.at(0).Plain().value();
    const std::string before = text.substr(0, text.find("mov"));
    Finished finished;
    finished.result = action::Failed(action::Outcome::kInputError, "refused", "no");
    finished.result.diagnostics[0].place.line =
        static_cast<u32>(std::count(before.begin(), before.end(), '\n')) + 1;
    return finished;
  });
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_75").result.diagnostics.at(0).place, (Place{7, 0}));
}

}  // namespace
}  // namespace ptxfarm::server
