// The loop against servers and slots that do what the test says, on a clock that it steps.
#include "worker/worker_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/memory_log_sink.h"
#include "worker/cancellation.h"

namespace ptxfarm::worker {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

class FakeLink final : public ServerLink {
 public:
  explicit FakeLink(std::string address) : address_(std::move(address)) {}

  const std::string& address() const override { return address_; }
  Status Open() override {
    ++opened;
    if (refuses) return Error{Code::kNotFound, "the token file is gone"};
    return Ok{};
  }
  void Send(rpc::WorkerReport report) override { reports.push_back(std::move(report)); }
  void Close() override { ++closed; }

  // Those since the last call.
  std::vector<rpc::WorkerReport> Take() { return std::exchange(reports, {}); }

  bool refuses = false;
  int opened = 0;
  int closed = 0;
  std::vector<rpc::WorkerReport> reports;

 private:
  const std::string address_;
};

class FakeRunner final : public LeaseRunner {
 public:
  struct Started {
    ServerIndex server;
    std::string id;
    std::shared_ptr<Cancellation> cancellation;
  };
  void Start(ServerIndex server, std::shared_ptr<const rpc::Lease> lease,
             std::shared_ptr<Cancellation> cancellation) override {
    started.push_back({server, lease->id, std::move(cancellation)});
  }

  std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    for (const Started& one : started) ids.push_back(one.id);
    return ids;
  }

  std::vector<Started> started;
};

rpc::WorkerOrders Leases(const std::vector<std::string>& ids) {
  rpc::WorkerOrders orders;
  for (const std::string& id : ids) orders.leases.push_back({.id = id});
  return orders;
}

class WorkerLoopTest : public testing::Test {
 protected:
  WorkerLoopTest()
      : logger_(sink_, clock_),
        loop_(
            {.id = "w", .slots = 2}, clock_, runner_, logger_, [this] { ++wakes_; }, 1) {}

  // A loop that is connected to the first server.
  void Connect() {
    loop_.AddServer(link_);
    loop_.Tick();
    loop_.OnOrders(0, {.heartbeat_interval = seconds(5)});
    link_.Take();
  }
  void Finish(ServerIndex server, const std::string& id) {
    rpc::FinishedLease finished{.lease_id = id};
    finished.result.outcome = action::Outcome::kOk;
    loop_.OnFinished(server, std::move(finished));
  }

  SteppedClock clock_;
  test::MemoryLogSink sink_;
  telemetry::Logger logger_;
  FakeRunner runner_;
  FakeLink link_{"first"};
  FakeLink other_{"second"};
  int wakes_ = 0;
  WorkerLoop loop_;
};

TEST_F(WorkerLoopTest, DescribesItselfFirstAndThenBeats) {
  loop_.AddServer(link_);
  loop_.Tick();
  std::vector<rpc::WorkerReport> reports = link_.Take();
  ASSERT_EQ(reports.size(), 1u);
  ASSERT_TRUE(reports[0].worker);
  EXPECT_EQ(reports[0].worker->id, "w");
  loop_.OnOrders(0, {.heartbeat_interval = seconds(5)});
  EXPECT_EQ(loop_.Tick(), clock_.Now() + seconds(1));  // The default, until the first beat.
  clock_.Advance(seconds(1));
  EXPECT_EQ(loop_.Tick(), clock_.Now() + seconds(5));
  reports = link_.Take();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_FALSE(reports[0].worker);
  EXPECT_THAT(reports[0].running_lease_ids, IsEmpty());
}

TEST_F(WorkerLoopTest, RunsNoMoreThanItsSlotsAndKeepsTheRest) {
  Connect();
  loop_.OnOrders(0, Leases({"a", "b", "c"}));
  EXPECT_THAT(runner_.Ids(), ElementsAre("a", "b"));
  clock_.Advance(seconds(5));
  loop_.Tick();
  EXPECT_THAT(link_.Take().back().running_lease_ids, ElementsAre("a", "b", "c"));
  Finish(0, "a");
  EXPECT_THAT(runner_.Ids(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(loop_.Counts().leases_running, 2u);
}

TEST_F(WorkerLoopTest, ReportsAResultAtOnceAndKeepsItUntilAccepted) {
  Connect();
  loop_.OnOrders(0, Leases({"a"}));
  Finish(0, "a");
  const std::vector<rpc::WorkerReport> reports = link_.Take();
  ASSERT_EQ(reports.size(), 1u);
  ASSERT_EQ(reports[0].finished.size(), 1u);
  EXPECT_EQ(reports[0].finished[0].lease_id, "a");
  EXPECT_THAT(reports[0].running_lease_ids, IsEmpty());
  EXPECT_EQ(loop_.Counts().leases_finished, 1u);
  loop_.OnOrders(0, {.accepted_lease_ids = {"a"}});
  EXPECT_EQ(loop_.Counts().leases_finished, 0u);
}

TEST_F(WorkerLoopTest, CancelsWhatRunsAndForgetsWhatWaits) {
  Connect();
  loop_.OnOrders(0, Leases({"a", "b", "c"}));
  loop_.OnOrders(0, {.cancelled_lease_ids = {"a", "c", "unknown"}});
  EXPECT_TRUE(runner_.started[0].cancellation->cancelled());
  EXPECT_FALSE(runner_.started[1].cancellation->cancelled());
  link_.Take();
  // The slot is busy until its process is gone, and nobody wants to hear of it then.
  EXPECT_EQ(loop_.Counts().leases_running, 2u);
  Finish(0, "a");
  EXPECT_THAT(link_.Take(), IsEmpty());
  EXPECT_EQ(loop_.Counts().leases_running, 1u);
  EXPECT_THAT(runner_.Ids(), ElementsAre("a", "b"));
}

TEST_F(WorkerLoopTest, RunsOnWhileItsServerIsAwayAndReportsWhenItIsBack) {
  Connect();
  loop_.OnOrders(0, Leases({"a", "b"}));
  loop_.OnClosed(0, {Code::kUnavailable, "gone"});
  EXPECT_TRUE(sink_.Has("server_lost"));
  Finish(0, "a");
  EXPECT_EQ(loop_.Counts().servers_connected, 0u);
  clock_.Advance(milliseconds(100));
  loop_.Tick();
  ASSERT_EQ(link_.opened, 2);
  const std::vector<rpc::WorkerReport> reports = link_.Take();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_TRUE(reports[0].worker);
  EXPECT_THAT(reports[0].running_lease_ids, ElementsAre("b"));
  ASSERT_EQ(reports[0].finished.size(), 1u);
  EXPECT_EQ(reports[0].finished[0].lease_id, "a");
}

TEST_F(WorkerLoopTest, TriesAgainAfterAGrowingDelay) {
  loop_.AddServer(link_);
  Duration last{};
  for (int i = 0; i < 12; ++i) {
    loop_.Tick();
    loop_.OnClosed(0, {Code::kUnavailable, "down"});
    const Duration delay = loop_.Tick() - clock_.Now();
    EXPECT_GE(delay, milliseconds(50));
    EXPECT_LE(delay, seconds(15));
    EXPECT_GE(delay * 2, last);  // Doubled, and up to half of it taken off at random.
    last = delay;
    clock_.Advance(delay);
  }
  EXPECT_GE(last, milliseconds(7'500));
  // One that answers is tried quickly the next time.
  loop_.Tick();
  loop_.OnOrders(0, {.heartbeat_interval = seconds(5)});
  loop_.OnClosed(0, {Code::kUnavailable, "down"});
  EXPECT_LE(loop_.Tick() - clock_.Now(), milliseconds(100));
}

TEST_F(WorkerLoopTest, TriesAgainWhenItCannotEvenCall) {
  link_.refuses = true;
  loop_.AddServer(link_);
  loop_.Tick();
  EXPECT_TRUE(sink_.Has("the token file is gone"));
  link_.refuses = false;
  clock_.Advance(milliseconds(100));
  loop_.Tick();
  EXPECT_EQ(link_.reports.size(), 1u);
}

TEST_F(WorkerLoopTest, ServersTakeTurns) {
  Connect();
  loop_.AddServer(other_);
  loop_.Tick();
  loop_.OnOrders(0, Leases({"a1", "a2", "a3"}));
  loop_.OnOrders(1, Leases({"b1", "b2"}));
  EXPECT_THAT(runner_.Ids(), ElementsAre("a1", "a2"));
  Finish(0, "a1");
  Finish(0, "a2");
  // Neither waits for the other's whole list.
  EXPECT_THAT(runner_.Ids(), testing::UnorderedElementsAre("a1", "a2", "a3", "b1"));
  EXPECT_EQ(loop_.Counts().leases_waiting, 1u);
}

TEST_F(WorkerLoopTest, TakesALeaseOnce) {
  Connect();
  loop_.OnOrders(0, Leases({"a"}));
  loop_.OnOrders(0, Leases({"a"}));
  EXPECT_THAT(runner_.Ids(), ElementsAre("a"));
}

TEST_F(WorkerLoopTest, DrainsByFinishingAndLeaving) {
  Connect();
  loop_.OnOrders(0, Leases({"a"}));
  loop_.Drain();
  EXPECT_TRUE(link_.Take().back().draining);
  EXPECT_FALSE(loop_.IsDone());
  Finish(0, "a");
  EXPECT_EQ(link_.closed, 0) << "the result isn't accepted yet";
  loop_.OnOrders(0, {.accepted_lease_ids = {"a"}});
  EXPECT_EQ(link_.closed, 1);
  EXPECT_FALSE(loop_.IsDone());
  loop_.OnClosed(0, {Code::kUnavailable, "the server ended the stream"});
  EXPECT_TRUE(loop_.IsDone());
  EXPECT_GT(wakes_, 0);
}

TEST_F(WorkerLoopTest, LeavesAServerThatDrainsItAndServesTheOthers) {
  Connect();
  loop_.AddServer(other_);
  loop_.Tick();
  loop_.OnOrders(0, {.drain = true});
  EXPECT_EQ(link_.closed, 1);
  loop_.OnClosed(0, {Code::kUnavailable, ""});
  loop_.OnOrders(1, Leases({"b"}));
  EXPECT_THAT(runner_.Ids(), ElementsAre("b"));
  EXPECT_FALSE(loop_.IsDone());
}

TEST_F(WorkerLoopTest, GivesUpADeadServerWhileDraining) {
  Connect();
  loop_.OnOrders(0, Leases({"a"}));
  Finish(0, "a");
  loop_.Drain();
  for (int i = 0; i < 20 && !loop_.IsDone(); ++i) {
    loop_.OnClosed(0, {Code::kUnavailable, "down"});
    clock_.Advance(seconds(15));
    loop_.Tick();
  }
  EXPECT_TRUE(loop_.IsDone());
}

TEST_F(WorkerLoopTest, KillsWhatRunsWithoutAReport) {
  Connect();
  loop_.OnOrders(0, Leases({"a", "b", "c"}));
  loop_.Kill();
  EXPECT_TRUE(runner_.started[0].cancellation->cancelled());
  EXPECT_TRUE(runner_.started[1].cancellation->cancelled());
  EXPECT_THAT(link_.Take().back().running_lease_ids, IsEmpty());
  loop_.OnOrders(0, Leases({"d"}));
  Finish(0, "a");
  Finish(0, "b");
  EXPECT_THAT(runner_.Ids(), ElementsAre("a", "b"));
  loop_.OnClosed(0, {Code::kCancelled, ""});
  EXPECT_TRUE(loop_.IsDone());
}

}  // namespace
}  // namespace ptxfarm::worker
