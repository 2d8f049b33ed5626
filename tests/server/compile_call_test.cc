#include "server/compile_call.h"

#include <thread>

#include <gtest/gtest.h>

#include "tests/server/core_fixture.h"

namespace ptxfarm::server {
namespace {

using action::Outcome;
using rpc::Served;

TEST_F(CoreTest, AMissCompilesAndASecondCallHitsInOneMessage) {
  const auto worker = StartWorker();
  const auto first = Start(Request({"sm_75", "sm_90a"}));
  EXPECT_EQ(worker->AnswerAll(), 2u);
  first->Wait();
  EXPECT_EQ(first->Of("sm_75").served, Served::kMiss);
  EXPECT_EQ(first->Of("sm_90a").served, Served::kMiss);
  EXPECT_EQ(first->blobs().size(), 2u);
  EXPECT_EQ(first->module()->entries, std::vector<std::string>{"add"});

  const auto second = Start(Request({"sm_90a", "sm_75"}));
  EXPECT_EQ(worker->held(), 0u);
  second->Wait();
  EXPECT_EQ(second->messages(), 1u);
  EXPECT_EQ(second->Of("sm_75").served, Served::kHit);
  EXPECT_EQ(second->Of("sm_90a").served, Served::kHit);
  EXPECT_EQ(second->Of("sm_75").result, first->Of("sm_75").result);
}

TEST_F(CoreTest, CommentsAndBlanksDontMissTheCacheButExactKeysDo) {
  const auto worker = StartWorker();
  Start(Request({"sm_75"}));
  worker->AnswerAll();
  const std::string spaced = std::string("// another comment\r\n") + kModule + "\n\n   ";
  const auto lexical = Start(Request({"sm_75"}, spaced));
  lexical->Wait();
  EXPECT_EQ(lexical->Of("sm_75").served, Served::kHit);
  EXPECT_EQ(lexical->Of("sm_75").key_tier, rpc::KeyTier::kLexical);
  rpc::CompileRequest exact = Request({"sm_75"}, spaced);
  exact.key_tier = rpc::KeyTier::kExact;
  const auto missed = Start(std::move(exact));
  EXPECT_EQ(worker->AnswerAll(), 1u);
  missed->Wait();
  EXPECT_EQ(missed->Of("sm_75").key_tier, rpc::KeyTier::kExact);
}

TEST_F(CoreTest, WhatIsCompiledIsTheCanonicalText) {
  const auto worker = StartWorker();
  Start(Request({"sm_75"}));
  std::string compiled;
  worker->AnswerAll([&](const rpc::Lease& lease) {
    compiled = lease.inputs.at(0).Plain().value();
    return ScriptedWorker::Compiled(lease);
  });
  EXPECT_EQ(compiled.find("//"), std::string::npos);
  EXPECT_NE(compiled.find(".entry add"), std::string::npos);
}

TEST_F(CoreTest, LineInfoKeepsTheTextsLines) {
  const auto worker = StartWorker();
  rpc::CompileRequest request = Request({"sm_75"});
  request.options = {"-lineinfo"};
  Start(std::move(request));
  std::string compiled;
  worker->AnswerAll([&](const rpc::Lease& lease) {
    compiled = lease.inputs.at(0).Plain().value();
    return ScriptedWorker::Compiled(lease);
  });
  EXPECT_EQ(compiled, kModule);
}

TEST_F(CoreTest, ManyCallersOfOneColdActionShareOneCompile) {
  const auto worker = StartWorker();
  std::vector<std::shared_ptr<RecordingSink>> sinks;
  for (int i = 0; i < 64; ++i) sinks.push_back(Start(Request({"sm_90"})));
  EXPECT_EQ(worker->AnswerAll(), 1u);
  int misses = 0;
  for (const auto& sink : sinks) {
    sink->Wait();
    misses += sink->Of("sm_90").served == Served::kMiss;
    EXPECT_EQ(sink->blobs().size(), 1u);
  }
  EXPECT_EQ(misses, 1);
  EXPECT_EQ(core_->joined, 63u);
}

TEST_F(CoreTest, AFailingTargetDoesNotTakeTheOthersAlong) {
  const auto worker = StartWorker();
  const auto sink = Start(Request({"sm_70", "sm_75", "sm_13O", "sm_90f", "", "compute_80"}));
  worker->AnswerAll();
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_75").result.outcome, Outcome::kOk);
  for (const char* const bad : {"sm_70", "sm_13O", "sm_90f", ""}) {
    EXPECT_EQ(sink->Of(bad).result.outcome, Outcome::kInputError) << bad;
    EXPECT_EQ(sink->Of(bad).result.diagnostics.at(0).kind, "unknown-target") << bad;
  }
  EXPECT_EQ(sink->Of("compute_80").result.diagnostics.at(0).kind, "virtual-target");
}

TEST_F(CoreTest, ATargetThatTheModuleDoesNotReachPointsAtItsTargetLine) {
  const auto worker = StartWorker();
  const auto sink =
      Start(Request({"sm_80"}, ".version 8.0\n.target sm_90a\n.entry k() { ret; }\n"));
  sink->Wait();
  const Diagnostic& diagnostic = sink->Of("sm_80").result.diagnostics.at(0);
  EXPECT_EQ(diagnostic.kind, "target-out-of-reach");
  EXPECT_EQ(diagnostic.place, (Place{2, 9}));
  EXPECT_EQ(worker->held(), 0u);
}

TEST_F(CoreTest, AVersionNewerThanEveryCompilerPointsAtTheVersion) {
  StartWorker();
  const auto sink =
      Start(Request({"sm_80"}, "//\n.version 9.4\n.target sm_80\n.entry k() { ret; }\n"));
  sink->Wait();
  const action::ActionResult& result = sink->Of("sm_80").result;
  EXPECT_EQ(result.outcome, Outcome::kToolchainTooOld);
  EXPECT_EQ(result.diagnostics.at(0).place.line, 2u);
  EXPECT_NE(result.diagnostics.at(0).message.find("9.4"), std::string::npos);
  EXPECT_NE(result.diagnostics.at(0).message.find("9.0"), std::string::npos);
}

TEST_F(CoreTest, ATextThatIsNoPtxFailsEveryTargetAndReachesNoWorker) {
  const auto worker = StartWorker();
  for (const std::string& text : {std::string(),
                                  std::string("\x7f"
                                              "ELF\x02\x01"),
                                  std::string("hello"), std::string("// only a comment")}) {
    const auto sink = Start(Request({"sm_75", "sm_80"}, text));
    sink->Wait();
    EXPECT_FALSE(sink->error().has_value());
    EXPECT_EQ(sink->Of("sm_75").result.outcome, Outcome::kInputError);
    EXPECT_FALSE(sink->Of("sm_80").result.diagnostics.empty());
  }
  EXPECT_EQ(worker->held(), 0u);
}

TEST_F(CoreTest, RequestsThatMakeNoSenseAreRefused) {
  const auto refused = [&](rpc::CompileRequest request) {
    const auto sink = Start(std::move(request));
    sink->Wait();
    return sink->error().value_or(Error{Code::kOk, ""}).code;
  };
  EXPECT_EQ(refused(Request({})), Code::kInvalidArgument);
  rpc::CompileRequest no_output = Request({"sm_75"});
  no_output.want_cubins = false;
  EXPECT_EQ(refused(std::move(no_output)), Code::kInvalidArgument);
  rpc::CompileRequest bad_option = Request({"sm_75"});
  bad_option.options = {"--no-such-option"};
  EXPECT_EQ(refused(std::move(bad_option)), Code::kInvalidArgument);
  EXPECT_EQ(refused(Request(std::vector<std::string>(65, "sm_75"))), Code::kResourceExhausted);
  EXPECT_EQ(refused(Request({"sm_75"}, std::string((1 << 20) + 1, ' '))), Code::kResourceExhausted);
}

TEST_F(CoreTest, DuplicateTargetsCountOnce) {
  const auto worker = StartWorker();
  const auto sink = Start(Request({"sm_75", "sm_75", "sm_75"}));
  EXPECT_EQ(worker->AnswerAll(), 1u);
  sink->Wait();
  EXPECT_EQ(sink->results(), 1u);
}

TEST_F(CoreTest, AFatBinaryIsMadeOfAllTargetsAndHitsToo) {
  const auto worker = StartWorker();
  const auto request = [&] {
    rpc::CompileRequest r = Request({"compute_75", "sm_90", "sm_75"});
    r.want_fatbin = true;
    return r;
  };
  std::vector<std::string> roles;
  const auto first = Start(request());
  worker->AnswerAll([&](const rpc::Lease& lease) {
    if (lease.action.kind == action::Kind::kBundleFatbin) {
      for (const action::Input& input : lease.action.inputs) roles.push_back(input.role);
      EXPECT_EQ(lease.inputs.size(), 3u);
    }
    return ScriptedWorker::Compiled(lease);
  });
  first->Wait();
  EXPECT_EQ(roles, (std::vector<std::string>{"sm_75", "compute_75", "sm_90"}));
  EXPECT_EQ(first->Of("fatbin").served, Served::kMiss);
  const auto second = Start(request());
  second->Wait();
  EXPECT_EQ(second->Of("fatbin").served, Served::kHit);
  EXPECT_EQ(second->Of("compute_75").result.outcome, Outcome::kOk);
}

TEST_F(CoreTest, AFatBinaryIsNotMadeWhenATargetIsMissing) {
  const auto worker = StartWorker();
  rpc::CompileRequest request = Request({"sm_75", "sm_70"});
  request.want_fatbin = true;
  const auto sink = Start(std::move(request));
  EXPECT_EQ(worker->AnswerAll(), 1u);
  sink->Wait();
  EXPECT_EQ(sink->Of("fatbin").result.diagnostics.at(0).kind, "fatbin-incomplete");
  EXPECT_EQ(sink->Of("sm_75").result.outcome, Outcome::kOk);
}

TEST_F(CoreTest, AFatBinaryFailsAsItsTargetDoes) {
  const auto worker = StartWorker();
  rpc::CompileRequest request = Request({"sm_75"});
  request.want_fatbin = true;
  const auto sink = Start(std::move(request));
  worker->AnswerAll([](const rpc::Lease&) {
    return Finished{.result = action::Failed(Outcome::kServiceLimit, "time-limit", "slow")};
  });
  sink->Wait();
  EXPECT_EQ(sink->Of("fatbin").result.outcome, Outcome::kServiceLimit);
}

// The toolkit was removed: what it made is found, and nobody waits for what it would make.
TEST_F(CoreTest, WithoutTheCompilerHitsAreServedAndMissesFailAtOnce) {
  const auto worker = StartWorker();
  Start(Request({"sm_75"}));
  worker->AnswerAll();
  worker->End();
  core_->compilers.Leave(worker->compilers());
  core_->compilers.Join({{.identity = {"ptxfarm", "1", DigestOf("bundler").sha256}}});
  const auto sink = Start(Request({"sm_75", "sm_80"}));
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_75").served, Served::kHit);
  EXPECT_EQ(sink->Of("sm_80").result.outcome, Outcome::kToolchainTooOld);
  EXPECT_EQ(sink->Of("sm_80").result.diagnostics.at(0).kind, "no-compiler");
}

TEST_F(CoreTest, DiagnosticsNameThePlacesOfTheCallersOwnText) {
  const auto worker = StartWorker();
  const auto wrong = [](const rpc::Lease& lease) {
    // The compiler sees one statement a line; the entry's body begins on the fourth.
    Finished finished{.result = action::Failed(Outcome::kInputError, "ptxas", "bad")};
    const std::string text = lease.inputs.at(0).Plain().value();
    const std::size_t at = text.find("ret");
    finished.result.diagnostics[0].place.line = static_cast<u32>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1);
    return finished;
  };
  const auto first = Start(Request({"sm_75"}));
  worker->AnswerAll(wrong);
  first->Wait();
  EXPECT_EQ(first->Of("sm_75").result.diagnostics.at(0).place.line, 5u);
  // The same fault, served from the cache for a text with other lines.
  const auto second = Start(Request({"sm_75"}, std::string("//\n//\n//\n") + kModule));
  second->Wait();
  EXPECT_EQ(second->Of("sm_75").served, Served::kHit);
  EXPECT_EQ(second->Of("sm_75").result.diagnostics.at(0).place.line, 8u);
}

TEST_F(CoreTest, ADigestIsAQuestionAndTheTextIsAskedForOnlyWhenNeeded) {
  const auto worker = StartWorker();
  const auto by_digest = [&] {
    rpc::CompileRequest request = Request({"sm_75"});
    request.source = DigestOf(kModule);
    return request;
  };
  const auto unknown = Start(by_digest());
  unknown->Wait();
  EXPECT_EQ(unknown->error()->code, Code::kFailedPrecondition);
  ASSERT_TRUE(store_->blobs().Put(MakeBlob(kModule)).has_value());
  const auto uploaded = Start(by_digest());
  while (worker->held() == 0 && !uploaded->ended()) std::this_thread::yield();
  worker->AnswerAll();
  uploaded->Wait();
  EXPECT_EQ(uploaded->Of("sm_75").served, Served::kMiss);
  const auto hit = Start(by_digest());
  hit->Wait();
  EXPECT_EQ(hit->Of("sm_75").served, Served::kHit);
}

TEST_F(CoreTest, CancellingTheOnlyCallerCancelsItsWork) {
  const auto worker = StartWorker("w", 1);
  const auto sink = Start(Request({"sm_75", "sm_80", "sm_90"}));
  EXPECT_EQ(worker->held(), 1u);
  call_->Cancel();
  EXPECT_EQ(worker->cancelled().size(), 1u);
  EXPECT_TRUE(core_->queue.Idle());
  EXPECT_FALSE(sink->ended());
  EXPECT_EQ(observer_.ended(), std::vector<Code>{Code::kCancelled});
}

TEST_F(CoreTest, OneCallersCancellingLeavesTheOthersWaiting) {
  const auto worker = StartWorker();
  Start(Request({"sm_75"}));
  const std::shared_ptr<CompileCall> first = call_;
  const auto other = Start(Request({"sm_75"}));
  first->Cancel();
  EXPECT_EQ(worker->AnswerAll(), 1u);
  other->Wait();
  EXPECT_EQ(other->Of("sm_75").served, Served::kJoined);
}

TEST_F(CoreTest, RecompileAsksTheWorkerThoughAResultIsStored) {
  const auto worker = StartWorker();
  Start(Request({"sm_75"}));
  worker->AnswerAll();
  rpc::CompileRequest again = Request({"sm_75"});
  again.recompile = true;
  const auto sink = Start(std::move(again));
  EXPECT_EQ(worker->AnswerAll(), 1u);
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_75").served, Served::kMiss);
}

TEST_F(CoreTest, FaultsAndLimitsAreNotStoredAsVerdicts) {
  const auto worker = StartWorker();
  for (const Outcome outcome : {Outcome::kServiceLimit, Outcome::kFault, Outcome::kOk}) {
    const auto sink = Start(Request({"sm_75"}));
    EXPECT_EQ(worker->AnswerAll([&](const rpc::Lease& lease) {
      return outcome == Outcome::kOk ? ScriptedWorker::Compiled(lease)
                                     : Finished{.result = action::Failed(outcome, "k", "m")};
    }),
              1u)
        << action::RowOf(outcome).name;
    sink->Wait();
    EXPECT_EQ(sink->Of("sm_75").result.outcome, outcome);
  }
}

TEST_F(CoreTest, ACrashIsRememberedBriefly) {
  const auto worker = StartWorker();
  Start(Request({"sm_75"}));
  worker->AnswerAll([](const rpc::Lease&) {
    return Finished{.result = action::Failed(Outcome::kCrashed, "signal", "11")};
  });
  const auto soon = Start(Request({"sm_75"}));
  soon->Wait();
  EXPECT_EQ(soon->Of("sm_75").served, Served::kHit);
  clock_.Advance(std::chrono::minutes(11));
  core_->queue.Tick();
  const auto later = Start(Request({"sm_75"}));
  EXPECT_FALSE(later->ended());
  call_->Cancel();
}

TEST_F(CoreTest, AnOutputThatTheWorkerDidNotSendIsAFaultAndNotAHit) {
  const auto worker = StartWorker();
  const auto sink = Start(Request({"sm_75"}));
  worker->AnswerAll([](const rpc::Lease& lease) {
    Finished finished = ScriptedWorker::Compiled(lease);
    finished.outputs.clear();
    return finished;
  });
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_75").result.outcome, Outcome::kFault);
  const auto again = Start(Request({"sm_75"}));
  EXPECT_EQ(worker->AnswerAll(), 1u);
  again->Wait();
  EXPECT_EQ(again->Of("sm_75").result.outcome, Outcome::kOk);
}

TEST_F(CoreTest, WithoutAnyCompilerTheAnswerSaysWhatToDo) {
  // A worker without a toolkit.
  core_->compilers.Join({{.identity = {"ptxfarm", "1", DigestOf("bundler").sha256}}});
  const auto sink = Start(Request({"sm_75"}));
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_75").result.outcome, Outcome::kToolchainTooOld);
  EXPECT_EQ(sink->Of("sm_75").result.diagnostics.at(0).kind, "no-compiler");
}

TEST_F(CoreTest, HitsAreFoundWhileTheWorkersAreAway) {
  const auto worker = StartWorker();
  Start(Request({"sm_75"}));
  worker->AnswerAll();
  worker->End();
  const auto sink = Start(Request({"sm_75"}));
  sink->Wait();
  EXPECT_EQ(sink->Of("sm_75").served, Served::kHit);
}

// Callers, workers and cancellations at once: nothing is lost, nothing is sent twice, nobody
// deadlocks.
TEST_F(CoreTest, ManyThreadsAtOnce) {
  const auto worker = StartWorker("w", 3);
  std::atomic<bool> done = false;
  std::vector<std::thread> answerers;
  for (int i = 0; i < 2; ++i)
    answerers.emplace_back([&] {
      while (!done)
        if (!worker->AnswerOne()) std::this_thread::yield();
    });
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string text = std::string(kModule) + ".visible .entry k" +
                                 std::to_string(i % 10 + t / 2) + "() { ret; }\n";
        auto sink = std::make_shared<RecordingSink>();
        rpc::CompileRequest request = Request({"sm_75", "sm_80", "sm_90"}, text);
        request.want_fatbin = i % 3 == 0;
        const auto call =
            CompileCall::Start(*core_, std::move(request), {.tenant = std::to_string(t)}, sink);
        if (i % 5 == 4) {
          call->Cancel();
          continue;
        }
        sink->Wait();
        EXPECT_FALSE(sink->error().has_value());
        EXPECT_EQ(sink->Of("sm_75").result.outcome, Outcome::kOk);
      }
    });
  for (std::thread& caller : callers) caller.join();
  done = true;
  for (std::thread& answerer : answerers) answerer.join();
}

}  // namespace
}  // namespace ptxfarm::server
