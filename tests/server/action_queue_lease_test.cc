// Leases that are lost, found again, and late.
#include <gtest/gtest.h>

#include "server/action_queue.h"
#include "tests/server/queue_fixture.h"

namespace ptxfarm::server {
namespace {

using action::Outcome;

TEST_F(QueueTest, ALeaseThatIsNotRenewedGoesToAnother) {
  const auto silent = Connect(Describe("silent"));
  Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(silent);
  clock_.Advance(seconds(16));
  queue_.Tick();
  const auto other = Connect(Describe("other"));
  EXPECT_EQ(TakeLease(other).action_sha256, lease.action_sha256);
  // The silent one's late result is acknowledged, and changes nothing.
  Finish(silent, lease.id);
  EXPECT_EQ(waiters_[0]->finished(), nullptr);
  EXPECT_EQ(queue_.TakeOrders(silent).accepted_lease_ids, std::vector<std::string>{lease.id});
}

TEST_F(QueueTest, RenewingKeepsALease) {
  const auto worker = Connect(Describe("w"));
  Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(worker);
  for (int i = 0; i < 10; ++i) {
    clock_.Advance(seconds(10));
    queue_.Renew(worker, {lease.id}, false);
    queue_.Tick();
  }
  Finish(worker, lease.id);
  EXPECT_NE(waiters_[0]->finished(), nullptr);
}

TEST_F(QueueTest, AReportSentBeforeTheLeaseArrivedDoesNotLoseIt) {
  const auto worker = Connect(Describe("w"));
  Submit(MakeTask("a"));
  queue_.Renew(worker, {}, false);
  const rpc::Lease lease = TakeLease(worker);
  Finish(worker, lease.id);
  EXPECT_NE(waiters_[0]->finished(), nullptr);
}

TEST_F(QueueTest, ALeaseThatItsWorkerForgotIsGivenOutAgain) {
  const auto worker = Connect(Describe("w"));
  Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(worker);
  queue_.Renew(worker, {lease.id}, false);
  queue_.Renew(worker, {}, false);
  const rpc::Lease again = TakeLease(worker);
  EXPECT_NE(again.id, lease.id);
  EXPECT_EQ(again.action_sha256, lease.action_sha256);
}

TEST_F(QueueTest, AResultBeingStoredIsNotForgottenForNotBeingListed) {
  const auto worker = Connect(Describe("w"));
  Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(worker);
  queue_.Renew(worker, {lease.id}, false);
  ASSERT_TRUE(queue_.BeginFinish(worker, lease.id).has_value());
  queue_.Renew(worker, {}, false);
  clock_.Advance(seconds(60));
  queue_.Tick();
  queue_.Finish(worker, lease.id, FinishedWith(Outcome::kOk));
  EXPECT_EQ(waiters_[0]->finished()->result.outcome, Outcome::kOk);
}

TEST_F(QueueTest, ABrokenStreamsLeasesWaitForTheWorkerToComeBack) {
  const auto before = Connect(Describe("w"));
  Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(before);
  queue_.Disconnect(before);
  clock_.Advance(seconds(2));
  queue_.Tick();
  const auto after = Connect(Describe("w"), {lease.id});
  EXPECT_TRUE(queue_.TakeOrders(after).leases.empty());
  Finish(after, lease.id);
  EXPECT_NE(waiters_[0]->finished(), nullptr);
}

TEST_F(QueueTest, AWorkerThatCameBackWithoutItsLeaseLostIt) {
  const auto before = Connect(Describe("w"));
  Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(before);
  queue_.Disconnect(before);
  const auto after = Connect(Describe("w"));
  EXPECT_EQ(TakeLease(after).action_sha256, lease.action_sha256);
}

TEST_F(QueueTest, AWorkerThatStaysAwayLosesItsLeasesSoon) {
  const auto gone = Connect(Describe("gone"));
  Submit(MakeTask("a"));
  TakeLease(gone);
  queue_.Disconnect(gone);
  clock_.Advance(seconds(4));
  queue_.Tick();
  const auto other = Connect(Describe("other"));
  EXPECT_FALSE(TakeLease(other).id.empty());
}

TEST_F(QueueTest, ALeaseThatIsNotTheWorkersIsCancelledThere) {
  const auto worker = Connect(Describe("w"));
  queue_.Renew(worker, {"of-another-life"}, false);
  EXPECT_EQ(queue_.TakeOrders(worker).cancelled_lease_ids,
            std::vector<std::string>{"of-another-life"});
}

TEST_F(QueueTest, WhatTakesThreeWorkersDownIsAnsweredAndRemembered) {
  Submit(MakeTask("a"));
  for (const char* id : {"1", "2", "3"}) {
    EXPECT_EQ(waiters_[0]->finished(), nullptr);
    const auto worker = Connect(Describe(id));
    TakeLease(worker);
    queue_.Disconnect(worker);
    clock_.Advance(seconds(4));
    queue_.Tick();
  }
  ASSERT_NE(waiters_[0]->finished(), nullptr);
  EXPECT_EQ(waiters_[0]->finished()->result.outcome, Outcome::kCrashed);
  ASSERT_EQ(verdicts_.size(), 1u);
  EXPECT_EQ(verdicts_[0].outcome, Outcome::kCrashed);
}

TEST_F(QueueTest, ACrashIsTriedOnceMoreOnAnotherWorker) {
  const auto first = Connect(Describe("first"));
  Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(first);
  const auto second = Connect(Describe("second"));
  Finish(first, lease.id, Outcome::kCrashed);
  EXPECT_EQ(waiters_[0]->finished(), nullptr);
  EXPECT_TRUE(queue_.TakeOrders(first).leases.empty());
  Finish(second, TakeLease(second).id, Outcome::kCrashed);
  ASSERT_NE(waiters_[0]->finished(), nullptr);
  EXPECT_EQ(waiters_[0]->finished()->result.outcome, Outcome::kCrashed);
}

TEST_F(QueueTest, ACrashOnTheOnlyWorkerIsTheAnswer) {
  const auto worker = Connect(Describe("w"));
  Submit(MakeTask("a"));
  Finish(worker, TakeLease(worker).id, Outcome::kCrashed);
  EXPECT_EQ(waiters_[0]->finished()->result.outcome, Outcome::kCrashed);
}

TEST_F(QueueTest, ACrashedActionGoesBackToTheSameWorkerWhenTheOtherHasGone) {
  const auto first = Connect(Describe("first"));
  Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(first);
  const auto second = Connect(Describe("second"));
  const auto busy = Submit(MakeTask("b"));
  TakeLease(second);  // Has no room, so the crashed one waits for it.
  Finish(first, lease.id, Outcome::kCrashed);
  queue_.Leave(busy.ticket);
  queue_.Disconnect(second);
  queue_.Tick();
  Finish(first, TakeLease(first).id, Outcome::kCrashed);
  ASSERT_NE(waiters_[0]->finished(), nullptr);
  EXPECT_EQ(waiters_[0]->finished()->result.outcome, Outcome::kCrashed);
}

TEST_F(QueueTest, AVerdictOnTheInputIsFinalAtOnce) {
  const auto first = Connect(Describe("first"));
  Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(first);
  const auto second = Connect(Describe("second"));
  Finish(first, lease.id, Outcome::kInputError);
  ASSERT_NE(waiters_[0]->finished(), nullptr);
  EXPECT_TRUE(queue_.TakeOrders(second).leases.empty());
}

TEST_F(QueueTest, AWorkerThatGivesALeaseBackDoesNotLoseIt) {
  const auto leaving = Connect(Describe("leaving"));
  Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(leaving);
  queue_.Renew(leaving, {lease.id}, true);
  Finish(leaving, lease.id, Outcome::kCancelled);
  EXPECT_EQ(waiters_[0]->finished(), nullptr);
  EXPECT_TRUE(queue_.TakeOrders(leaving).leases.empty()) << "a draining worker gets no work";
  const auto other = Connect(Describe("other"));
  Finish(other, TakeLease(other).id);
  EXPECT_NE(waiters_[0]->finished(), nullptr);
}

TEST_F(QueueTest, ADrainedWorkerGetsNoMoreAndIsTold) {
  const auto worker = Connect(Describe("w", 2));
  queue_.TakeOrders(worker);
  EXPECT_FALSE(queue_.DrainWorker("no-such"));
  EXPECT_TRUE(queue_.DrainWorker("w"));
  EXPECT_TRUE(queue_.TakeOrders(worker).drain);
  Submit(MakeTask("a"));
  EXPECT_TRUE(queue_.TakeOrders(worker).leases.empty());
  EXPECT_TRUE(queue_.Workers()[0].draining);
}

TEST_F(QueueTest, AHungWorkerGetsNoNewWorkUntilItSpeaks) {
  const auto worker = Connect(Describe("w"));
  queue_.TakeOrders(worker);
  clock_.Advance(seconds(16));
  Submit(MakeTask("a"));
  EXPECT_TRUE(queue_.TakeOrders(worker).leases.empty());
  queue_.Renew(worker, {}, false);
  EXPECT_EQ(queue_.TakeOrders(worker).leases.size(), 1u);
}

}  // namespace
}  // namespace ptxfarm::server
