#include "server/action_queue.h"

#include <gtest/gtest.h>

#include "tests/server/queue_fixture.h"

namespace ptxfarm::server {
namespace {

using action::Outcome;

TEST_F(QueueTest, ALeaseCarriesTheActionAndItsEndReachesTheWaiter) {
  const auto worker = Connect(Describe("w"));
  const Task task = MakeTask("a");
  EXPECT_FALSE(Submit(task).joined);
  const rpc::Lease lease = TakeLease(worker);
  EXPECT_EQ(lease.action, task.action);
  EXPECT_EQ(lease.action_sha256, task.digest);
  EXPECT_EQ(waiters_[0]->running(), std::vector<std::string>{"host-w"});
  EXPECT_EQ(waiters_[0]->finished(), nullptr);
  Finish(worker, lease.id);
  ASSERT_NE(waiters_[0]->finished(), nullptr);
  EXPECT_EQ(queue_.TakeOrders(worker).accepted_lease_ids, std::vector<std::string>{lease.id});
  EXPECT_TRUE(queue_.Idle());
}

TEST_F(QueueTest, EqualActionsAreOneLease) {
  const auto worker = Connect(Describe("w", 8));
  EXPECT_FALSE(Submit(MakeTask("a")).joined);
  for (int i = 0; i < 20; ++i)
    EXPECT_TRUE(Submit(MakeTask("a"), "tenant" + std::to_string(i)).joined);
  const rpc::WorkerOrders orders = queue_.TakeOrders(worker);
  ASSERT_EQ(orders.leases.size(), 1u);
  Finish(worker, orders.leases[0].id);
  for (const auto& waiter : waiters_) EXPECT_NE(waiter->finished(), nullptr);
  // The next one is a new action, not the end of an old one.
  EXPECT_FALSE(Submit(MakeTask("a")).joined);
}

TEST_F(QueueTest, AJoinerLearnsThatItRuns) {
  const auto worker = Connect(Describe("w"));
  Submit(MakeTask("a"));
  TakeLease(worker);
  Submit(MakeTask("a"));
  EXPECT_EQ(waiters_[1]->running(), std::vector<std::string>{"host-w"});
}

TEST_F(QueueTest, OnlyTheLastWaitersLeavingCancels) {
  const auto worker = Connect(Describe("w"));
  const auto first = Submit(MakeTask("a"));
  const auto second = Submit(MakeTask("a"));
  const rpc::Lease lease = TakeLease(worker);
  queue_.Leave(first.ticket);
  EXPECT_TRUE(queue_.TakeOrders(worker).cancelled_lease_ids.empty());
  queue_.Leave(second.ticket);
  EXPECT_EQ(queue_.TakeOrders(worker).cancelled_lease_ids, std::vector<std::string>{lease.id});
  EXPECT_TRUE(queue_.Idle());
  EXPECT_EQ(waiters_[0]->finished(), nullptr);
}

TEST_F(QueueTest, ACancelledLeaseHoldsItsSlotUntilTheWorkerSaysSo) {
  const auto worker = Connect(Describe("w", 1));
  const auto ticket = Submit(MakeTask("a")).ticket;
  const rpc::Lease lease = TakeLease(worker);
  queue_.Leave(ticket);
  Submit(MakeTask("b"));
  EXPECT_TRUE(queue_.TakeOrders(worker).leases.empty());
  Finish(worker, lease.id, Outcome::kCancelled);
  EXPECT_EQ(queue_.TakeOrders(worker).leases.size(), 1u);
}

TEST_F(QueueTest, AnActionCancelledWhileItsResultIsStoredIsKept) {
  const auto worker = Connect(Describe("w"));
  const auto ticket = Submit(MakeTask("a")).ticket;
  const rpc::Lease lease = TakeLease(worker);
  ASSERT_TRUE(queue_.BeginFinish(worker, lease.id).has_value());
  queue_.Leave(ticket);
  EXPECT_TRUE(queue_.TakeOrders(worker).cancelled_lease_ids.empty());
  EXPECT_TRUE(Submit(MakeTask("a")).joined);
  queue_.Finish(worker, lease.id, FinishedWith(Outcome::kOk));
  EXPECT_NE(waiters_[1]->finished(), nullptr);
}

TEST_F(QueueTest, PriorityThenLongestThenOldestGoFirst) {
  Submit(MakeTask("old", "sm_90", 1));
  Submit(MakeTask("young", "sm_90", 1));
  Submit(MakeTask("long", "sm_80", 9));
  Submit(MakeTask("urgent", "sm_90", 1), "t", 5);
  const auto worker = Connect(Describe("w", 1));
  std::vector<Digest> order;
  for (int i = 0; i < 4; ++i) {
    const rpc::Lease lease = TakeLease(worker);
    order.push_back(lease.action.inputs[0].digest);
    Finish(worker, lease.id);
  }
  EXPECT_EQ(order, (std::vector<Digest>{DigestOf("urgent"), DigestOf("long"), DigestOf("old"),
                                        DigestOf("young")}));
}

TEST_F(QueueTest, AJoinersHigherPriorityLiftsTheAction) {
  Submit(MakeTask("a"));
  Submit(MakeTask("b"));
  Submit(MakeTask("b"), "t", 7);
  const auto worker = Connect(Describe("w", 1));
  EXPECT_EQ(TakeLease(worker).action.inputs[0].digest, DigestOf("b"));
}

TEST_F(QueueTest, TenantsTakeTurnsHoweverMuchOneAsksFor) {
  for (const char* name : {"a1", "a2", "a3"}) Submit(MakeTask(name), "a");
  Submit(MakeTask("b1"), "b");
  const auto worker = Connect(Describe("w", 2));
  const rpc::WorkerOrders orders = queue_.TakeOrders(worker);
  ASSERT_EQ(orders.leases.size(), 2u);
  std::set<Digest> running{orders.leases[0].action.inputs[0].digest,
                           orders.leases[1].action.inputs[0].digest};
  EXPECT_TRUE(running.contains(DigestOf("b1")));
}

TEST_F(QueueTest, AWorkerGetsOnlyWhatItCanDo) {
  const auto old = Connect(Describe("old", 4, {"sm_80"}));
  Submit(MakeTask("a", "sm_90"));
  EXPECT_TRUE(queue_.TakeOrders(old).leases.empty());
  Submit(MakeTask("b", "sm_80"));
  EXPECT_EQ(TakeLease(old).action.target, "sm_80");
  const auto young = Connect(Describe("young"));
  EXPECT_EQ(TakeLease(young).action.target, "sm_90");
}

TEST_F(QueueTest, MemoryBoundsWhatRunsAtOnceButOneAlwaysFits) {
  rpc::WorkerDescription description = Describe("w", 4);
  description.memory_bytes = 100;
  const auto worker = Connect(description);
  for (const char* name : {"a", "b", "c"}) {
    Task task = MakeTask(name);
    task.memory_bytes = name[0] == 'a' ? 500 : 60;
    Submit(task);
  }
  const std::vector<rpc::Lease> first = queue_.TakeOrders(worker).leases;
  ASSERT_EQ(first.size(), 1u);
  Finish(worker, first[0].id);
  EXPECT_EQ(queue_.TakeOrders(worker).leases.size(), 1u);
}

TEST_F(QueueTest, LoadSpreadsOverWorkers) {
  const auto a = Connect(Describe("a", 2));
  const auto b = Connect(Describe("b", 2));
  Submit(MakeTask("1"));
  Submit(MakeTask("2"));
  EXPECT_EQ(queue_.TakeOrders(a).leases.size(), 1u);
  EXPECT_EQ(queue_.TakeOrders(b).leases.size(), 1u);
}

TEST_F(QueueTest, AFullQueueAsksToComeBackButJoinersAreWelcome) {
  for (const char* name : {"1", "2", "3", "4", "5"}) Submit(MakeTask(name));
  const auto refused = queue_.Submit(MakeTask("6"), "t", 0, std::make_shared<RecordingWaiter>());
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::kResourceExhausted);
  EXPECT_TRUE(Submit(MakeTask("5")).joined);
}

TEST_F(QueueTest, ADrainingQueueFinishesWhatItHas) {
  const auto worker = Connect(Describe("w"));
  Submit(MakeTask("a"));
  queue_.Drain();
  const auto refused = queue_.Submit(MakeTask("b"), "t", 0, std::make_shared<RecordingWaiter>());
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  Finish(worker, TakeLease(worker).id);
  EXPECT_NE(waiters_[0]->finished(), nullptr);
  EXPECT_TRUE(queue_.Idle());
}

TEST_F(QueueTest, AnActionThatNoWorkerCanDoIsGivenUpInTime) {
  const auto worker = Connect(Describe("w", 1, {"sm_80"}));
  Submit(MakeTask("a", "sm_90"));
  queue_.Tick();
  clock_.Advance(seconds(59));
  queue_.Tick();
  EXPECT_EQ(waiters_[0]->finished(), nullptr);
  clock_.Advance(seconds(2));
  queue_.Tick();
  ASSERT_NE(waiters_[0]->finished(), nullptr);
  EXPECT_EQ(waiters_[0]->finished()->result.outcome, Outcome::kFault);
  EXPECT_EQ(waiters_[0]->finished()->result.diagnostics[0].kind, "no-worker");
  (void)worker;
}

TEST_F(QueueTest, WhatWaitsForAReplacedCompilerIsToldToAskAgain) {
  const auto old = Connect(Describe("old"));
  queue_.Renew(old, {}, /*draining=*/true);
  Submit(MakeTask("a"));
  rpc::WorkerDescription bundler = Describe("bundler");
  bundler.compilers[0].identity.backend = "ptxfarm";
  Connect(bundler);
  queue_.Tick();
  EXPECT_EQ(waiters_[0]->finished(), nullptr) << "its worker may come back";
  rpc::WorkerDescription other = Describe("new");
  other.compilers[0].identity.sha256 = DigestOf("the new ptxas").sha256;
  Connect(other);
  queue_.Tick();
  ASSERT_NE(waiters_[0]->finished(), nullptr);
  EXPECT_EQ(waiters_[0]->finished()->result.outcome, Outcome::kFault);
  EXPECT_EQ(waiters_[0]->finished()->result.diagnostics[0].kind, action::kCompilerChanged);
}

TEST_F(QueueTest, TheWaitForAWorkerBeginsAnewWhenOneWasHere) {
  Submit(MakeTask("a"));
  queue_.Tick();
  clock_.Advance(seconds(59));
  const auto worker = Connect(Describe("w"));
  const rpc::Lease lease = TakeLease(worker);
  queue_.Disconnect(worker);
  clock_.Advance(seconds(4));
  queue_.Tick();  // The lease is lost; the wait begins at the next tick.
  queue_.Tick();
  clock_.Advance(seconds(59));
  queue_.Tick();
  EXPECT_EQ(waiters_[0]->finished(), nullptr);
}

}  // namespace
}  // namespace ptxfarm::server
