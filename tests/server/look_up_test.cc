// Look-ups: what is stored, by the text's digest, and nothing else.
#include <gtest/gtest.h>

#include "server/answer_cache.h"
#include "tests/server/core_fixture.h"

namespace ptxfarm::server {
namespace {

using action::Outcome;
using rpc::Served;

TEST_F(CoreTest, ALookUpFindsWhatWasCompiledWithoutTheText) {
  const auto worker = StartWorker();
  Start(Request({"sm_75", "sm_80"}));
  worker->AnswerAll();
  const auto found = LookUp(Request({"sm_80", "sm_75"}));
  ASSERT_TRUE(found->ended());
  EXPECT_EQ(found->messages(), 1u);
  EXPECT_EQ(found->Of("sm_75").served, Served::kHit);
  EXPECT_EQ(found->Of("sm_80").served, Served::kHit);
  EXPECT_EQ(found->blobs().size(), 2u);
  EXPECT_EQ(core_->hits, 2u);
}

TEST_F(CoreTest, ALookUpOfSomethingMissingFindsNothingAndQueuesNothing) {
  const auto worker = StartWorker();
  const auto unknown = LookUp(Request({"sm_75"}));
  ASSERT_TRUE(unknown->ended());
  EXPECT_EQ(unknown->error()->code, Code::kNotFound);

  Start(Request({"sm_75"}));
  worker->AnswerAll();
  const auto partly = LookUp(Request({"sm_75", "sm_80"}));
  ASSERT_TRUE(partly->ended());
  EXPECT_EQ(partly->error()->code, Code::kNotFound);
  EXPECT_EQ(worker->held(), 0u);
  EXPECT_EQ(core_->hits, 0u) << "Compile will count it";
  EXPECT_EQ(core_->queue.Counts().waiting, 0u);
}

TEST_F(CoreTest, ALookUpTakesTheFatBinaryAlongOnceItIsStored) {
  const auto worker = StartWorker();
  rpc::CompileRequest request = Request({"sm_75", "compute_75"});
  request.want_fatbin = true;
  const auto compiled = Start(request);
  worker->AnswerAll();
  compiled->Wait();
  const auto found = LookUp(request);
  ASSERT_TRUE(found->ended());
  ASSERT_FALSE(found->error()) << found->error()->message;
  EXPECT_EQ(found->Of("fatbin").served, Served::kHit);
}

TEST_F(CoreTest, ALookUpLeavesPlacesInTheTextToCompile) {
  const auto worker = StartWorker();
  Start(Request({"sm_75"}));
  worker->AnswerAll([](const rpc::Lease&) {
    Finished finished{.result = action::Failed(Outcome::kInputError, "syntax", "no")};
    finished.result.diagnostics.front().place = {5, 1};
    return finished;
  });
  // Facts of the module are known, its lines are not.
  const auto found = LookUp(Request({"sm_75"}));
  ASSERT_TRUE(found->ended());
  EXPECT_EQ(found->error()->code, Code::kNotFound);
}

TEST_F(CoreTest, BeforeTheFirstWorkerComesCompileIsToBeRetriedAndALookUpFindsNothing) {
  const auto compile = Start(Request({"sm_75"}));
  compile->Wait();
  EXPECT_EQ(compile->error()->code, Code::kUnavailable);
  EXPECT_TRUE(compile->retry_after().has_value());
  EXPECT_EQ(LookUp(Request({"sm_75"}))->error()->code, Code::kNotFound);
  // What is wrong with the text needs no worker to be told.
  const auto wrong = Start(Request({"sm_75"}, "nonsense"));
  wrong->Wait();
  EXPECT_EQ(wrong->Of("sm_75").result.outcome, Outcome::kInputError);
}

Answer AnswerOf(const std::string& text) {
  const grpc::Slice slice(text);
  return {.bytes = grpc::ByteBuffer(&slice, 1)};
}

TEST(AnswerCacheTest, GivesAnAnswerAgainUntilItsTimeOrTheCompilersHavePassed) {
  SteppedClock clock;
  AnswerCache answers(clock);
  EXPECT_EQ(answers.Find("a", 1), nullptr);
  answers.Keep("a", 1, AnswerOf("answer"));
  ASSERT_NE(answers.Find("a", 1), nullptr);
  EXPECT_EQ(answers.Find("a", 1)->bytes.Length(), 6u);
  EXPECT_EQ(answers.Find("b", 1), nullptr);
  EXPECT_EQ(answers.Find("a", 2), nullptr);
  EXPECT_EQ(answers.Find("a", 1), nullptr) << "what was outdated is gone";

  answers.Keep("a", 2, AnswerOf("answer"));
  clock.Advance(std::chrono::minutes(2));
  EXPECT_EQ(answers.Find("a", 2), nullptr);
}

TEST(AnswerCacheTest, HoldsNoMoreThanItsBounds) {
  SteppedClock clock;
  AnswerCache answers(clock);
  answers.Keep("too large", 1, AnswerOf(std::string(2 << 20, 'x')));
  EXPECT_EQ(answers.Find("too large", 1), nullptr);
  const std::string half(512 << 10, 'x');
  for (int i = 0; i < 200; ++i) answers.Keep(std::to_string(i), 1, AnswerOf(half));
  EXPECT_EQ(answers.Find("0", 1), nullptr);
  EXPECT_NE(answers.Find("199", 1), nullptr);
  EXPECT_NE(answers.Find("100", 1), nullptr);
}

}  // namespace
}  // namespace ptxfarm::server
