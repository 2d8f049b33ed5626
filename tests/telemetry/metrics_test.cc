#include "telemetry/metrics.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "telemetry/metric_rows.h"
#include "telemetry/process_metrics.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::telemetry {
namespace {

using testing::HasSubstr;
using testing::Not;

const MetricRow kRows[] = {
    {"ptxfarm_test_requests_total",
     MetricKind::kCounter,
     "Requests by outcome.",
     {{"outcome", {"hit", "miss"}}}},
    {"ptxfarm_test_queue_depth", MetricKind::kGauge, "Actions that wait."},
    {"ptxfarm_test_compile_duration_seconds",
     MetricKind::kHistogram,
     "Time of compiles.",
     {{"target"}, {"backend", {"ptxas", "native"}}},
     {0.1, 1, 10}},
};

TEST(MetricsTest, CountsInSeriesThatWereLookedUpOnce) {
  Metrics metrics;
  metrics.Register(kRows);
  const Counter hits = metrics.GetCounter("ptxfarm_test_requests_total", {"hit"});
  const Gauge depth = metrics.GetGauge("ptxfarm_test_queue_depth");
  const Histogram seconds =
      metrics.GetHistogram("ptxfarm_test_compile_duration_seconds", {"sm_90", "ptxas"});
  hits.Add();
  hits.Add(2);
  metrics.GetCounter("ptxfarm_test_requests_total", {"hit"}).Add();
  depth.Set(5);
  depth.Add(-2);
  seconds.Observe(0.5);
  seconds.Observe(std::chrono::milliseconds(50));
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("# TYPE ptxfarm_test_requests_total counter\n"
                              "ptxfarm_test_requests_total{outcome=\"hit\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("ptxfarm_test_queue_depth 3\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "ptxfarm_test_compile_duration_seconds_count{backend=\"ptxas\",target=\"sm_90\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("le=\"0.1\"} 1\n"));
}

TEST(MetricsTest, HandlesThatWereNeverSetCountNothing) {
  Counter().Add();
  Counter().RaiseTo(3);
  Gauge().Set(1);
  Gauge().Add(1);
  Histogram().Observe(1);
}

TEST(MetricsTest, RaisedCountersNeverGoDown) {
  Metrics metrics;
  metrics.Register(kRows);
  const Counter counter = metrics.GetCounter("ptxfarm_test_requests_total", {"miss"});
  counter.RaiseTo(7);
  counter.RaiseTo(5);
  EXPECT_THAT(metrics.Text(), HasSubstr("{outcome=\"miss\"} 7\n"));
}

TEST(MetricsTest, TheSameRowsMayBeRegisteredAgain) {
  Metrics metrics;
  metrics.Register(kRows);
  metrics.Register(kRows);
  const MetricRow other[] = {{"ptxfarm_test_queue_depth", MetricKind::kGauge, "Something else."}};
  EXPECT_DEATH(metrics.Register(other), "ptxfarm_test_queue_depth");
}

TEST(MetricsTest, ALabelsValueIsOfItsClosedSet) {
  Metrics metrics;
  metrics.Register(kRows);
  EXPECT_DEATH(metrics.GetCounter("ptxfarm_test_requests_total", {"hti"}), "no value 'hti'");
  EXPECT_DEATH(metrics.GetCounter("ptxfarm_test_requests_total", {}),
               "ptxfarm_test_requests_total");
  EXPECT_DEATH(metrics.GetGauge("ptxfarm_test_requests_total", {"hit"}), "another kind");
  EXPECT_DEATH(metrics.GetCounter("ptxfarm_test_none_total"), "no metric");
}

TEST(MetricsTest, AnOpenLabelCannotGrowWithoutBound) {
  Metrics metrics;
  metrics.Register(kRows);
  for (int i = 0; i < 1000; ++i)
    metrics.GetHistogram("ptxfarm_test_compile_duration_seconds", {std::to_string(i), "native"})
        .Observe(1);
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("_count{backend=\"native\",target=\"199\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("target=\"200\"")));
  EXPECT_THAT(text, HasSubstr("_count{backend=\"native\",target=\"other\"} 800\n"));
}

TEST(MetricsTest, CollectorsRunAtEachCollectionUntilTheyEnd) {
  Metrics metrics;
  metrics.Register(kRows);
  const Gauge depth = metrics.GetGauge("ptxfarm_test_queue_depth");
  int calls = 0;
  {
    Metrics::Collector collector = metrics.OnCollect([&] { depth.Set(++calls); });
    const Metrics::Collector moved = std::move(collector);
    EXPECT_THAT(metrics.Text(), HasSubstr("ptxfarm_test_queue_depth 1\n"));
    EXPECT_THAT(metrics.Text(), HasSubstr("ptxfarm_test_queue_depth 2\n"));
  }
  EXPECT_THAT(metrics.Text(), HasSubstr("ptxfarm_test_queue_depth 2\n"));
}

TEST(MetricsTest, CountsFromManyThreadsWhileItIsRead) {
  Metrics metrics;
  metrics.Register(kRows);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const Counter hits = metrics.GetCounter("ptxfarm_test_requests_total", {"hit"});
      const Metrics::Collector collector = metrics.OnCollect([&hits] { hits.Add(0); });
      for (int i = 0; i < 10000; ++i) hits.Add();
    });
  for (int i = 0; i < 20; ++i) metrics.Text();
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(metrics.Text(), HasSubstr("{outcome=\"hit\"} 40000\n"));
}

TEST(MetricsTest, TheProcessShowsItself) {
  Metrics metrics;
  const ProcessMetrics process(metrics, "1.2.3");
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("ptxfarm_build_info{version=\"1.2.3\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("# TYPE process_cpu_seconds_total counter\n"));
  for (const char* name :
       {"process_resident_memory_bytes", "process_virtual_memory_bytes", "process_open_fds",
        "process_max_fds", "process_threads", "process_start_time_seconds"}) {
    const std::size_t at = text.find("\n" + std::string(name) + " ");
    ASSERT_NE(at, std::string::npos) << name;
    EXPECT_GT(std::stod(text.substr(at + 2 + std::string(name).size())), 0) << name;
  }
}

TEST(MetricsTest, PromtoolFindsNothingToSay) {
  if (test::RunShell("command -v promtool").exit_code != 0)
    GTEST_SKIP() << "no promtool here (apt-get install prometheus to have it)";
  Metrics metrics;
  metrics.Register(kRows);
  const ProcessMetrics process(metrics, "1.2.3");
  metrics.GetCounter("ptxfarm_test_requests_total", {"hit"}).Add();
  metrics.GetGauge("ptxfarm_test_queue_depth").Set(1);
  metrics.GetHistogram("ptxfarm_test_compile_duration_seconds", {"a\"b\\c\nd", "ptxas"}).Observe(1);
  const test::TempDir dir;
  ASSERT_TRUE(WriteFileAtomically(dir / "metrics", metrics.Text()));
  const test::Ran ran = test::RunShell("promtool check metrics < " + dir / "metrics");
  EXPECT_EQ(ran.output, "");
  EXPECT_EQ(ran.exit_code, 0);
}

struct BadRow {
  MetricRow row;
  const char* complaint;
};
const BadRow kBadRows[] = {
    {{"Ptxfarm_x", MetricKind::kGauge, "A."}, "a name is lower case words joined by _"},
    {{"farm_x", MetricKind::kGauge, "A."}, "a name begins with ptxfarm_<component>_"},
    {{"ptxfarm_x", MetricKind::kCounter, "A."}, "counters, and only they, end in _total"},
    {{"ptxfarm_x_total", MetricKind::kGauge, "A."}, "counters, and only they, end in _total"},
    {{"ptxfarm_x_ms", MetricKind::kGauge, "A."}, "units are seconds, bytes and ratio"},
    {{"ptxfarm_x_kilobytes_total", MetricKind::kCounter, "A."},
     "units are seconds, bytes and ratio"},
    {{"ptxfarm_x", MetricKind::kGauge, "A"}, "help is a sentence with its period"},
    {{"ptxfarm_x_seconds", MetricKind::kHistogram, "A."},
     "histograms, and only they, have buckets"},
    {{"ptxfarm_x_seconds", MetricKind::kHistogram, "A.", {}, {1, 1}}, "buckets ascend"},
    {{"ptxfarm_x", MetricKind::kGauge, "A.", {{"le", {"a"}}}}, "a label is a lower case word"},
};

TEST(MetricRowsTest, RowsKeepTheRules) {
  for (const BadRow& bad : kBadRows) EXPECT_EQ(Complaint(bad.row), bad.complaint) << bad.row.name;
  for (const MetricRow& row : kRows) EXPECT_EQ(Complaint(row), "") << row.name;
  for (const MetricRow& row : ProcessMetricRows()) EXPECT_EQ(Complaint(row), "") << row.name;
}

TEST(MetricRowsTest, PrintsTheReference) {
  EXPECT_EQ(
      MetricsMarkdown(kRows),
      "| name | kind | labels | meaning |\n|---|---|---|---|\n"
      "| `ptxfarm_test_requests_total` | counter | `outcome`: hit, miss | Requests by outcome. |\n"
      "| `ptxfarm_test_queue_depth` | gauge |  | Actions that wait. |\n"
      "| `ptxfarm_test_compile_duration_seconds` | histogram | `target`; `backend`: ptxas, native "
      "| Time of "
      "compiles. |\n");
}

}  // namespace
}  // namespace ptxfarm::telemetry
