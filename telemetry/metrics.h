// Metrics as rows {name, kind, labels, help, buckets} by component, and the handles that code
// counts with.
//
// A component has a table of rows and a struct of handles, made once with the registry. Counting
// then costs an atomic addition: which series it is was looked up when the handle was made (a
// look-up per call costs 15 times as much). The library behind stays in metrics.cc.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace ptxfarm::telemetry {

enum class MetricKind : u8 { kCounter, kGauge, kHistogram };

struct Label {
  std::string name;
  // All that it can be. Empty where another table has the set (targets, backends); then no more
  // than kOpenSeriesMax series are made, and the rest is counted under "other". Never digests or
  // names of users.
  std::vector<std::string> values = {};
};

struct MetricRow {
  std::string
      name;  // "ptxfarm_store_blob_bytes": component, what, base unit; "_total" on counters.
  MetricKind kind;
  std::string help;  // A sentence.
  std::vector<Label> labels = {};
  std::vector<double> buckets = {};  // Upper bounds, ascending; for histograms.
};

// From half a millisecond to five minutes, two or three a decade.
std::vector<double> SecondsBuckets();
// From 1 KiB to 1 GiB in powers of four.
std::vector<double> BytesBuckets();

inline constexpr std::size_t kOpenSeriesMax = 200;

// Handles are as cheap to copy as a pointer, and may be used from many threads. One that was never
// set counts nothing, so that a component can be tested without a registry. They must not outlive
// their Metrics.
class Counter {
 public:
  Counter() = default;
  void Add(u64 count = 1) const;
  // For what something else counts (the kernel, a database) and a collector reads; never goes down.
  void RaiseTo(double total) const;

 private:
  friend class Metrics;
  explicit Counter(prometheus::Counter* series) : series_(series) {}
  prometheus::Counter* series_ = nullptr;
};

class Gauge {
 public:
  Gauge() = default;
  void Set(double value) const;
  void Add(double by) const;

 private:
  friend class Metrics;
  explicit Gauge(prometheus::Gauge* series) : series_(series) {}
  prometheus::Gauge* series_ = nullptr;
};

class Histogram {
 public:
  Histogram() = default;
  void Observe(double value) const;
  // In seconds, the base unit of time.
  void Observe(std::chrono::nanoseconds duration) const {
    Observe(std::chrono::duration<double>(duration).count());
  }

 private:
  friend class Metrics;
  explicit Histogram(prometheus::Histogram* series) : series_(series) {}
  prometheus::Histogram* series_ = nullptr;
};

// The registry of a process. Safe to call from many threads.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // Checks the rows (aborts on names and labels that break the rules above) and shows them from now
  // on, also while they have no series. The same row may be added again; a different one of that
  // name aborts.
  void Register(std::span<const MetricRow> rows);

  // The series of a registered row with these label values, in the order of the row's labels.
  // Aborts on a value outside of a closed set.
  Counter GetCounter(std::string_view name, std::initializer_list<std::string_view> values = {});
  Gauge GetGauge(std::string_view name, std::initializer_list<std::string_view> values = {});
  Histogram GetHistogram(std::string_view name,
                         std::initializer_list<std::string_view> values = {});

  // Called before each collection, for gauges that are read off something (a queue's length, a
  // store's size). Ends with the object; the destructor waits for a call under way.
  class Collector {
   public:
    Collector() = default;
    Collector(Collector&& other) noexcept;
    Collector& operator=(Collector&& other) noexcept;
    ~Collector();

   private:
    friend class Metrics;
    Collector(Metrics* metrics, u64 id) : metrics_(metrics), id_(id) {}
    Metrics* metrics_ = nullptr;
    u64 id_ = 0;
  };
  [[nodiscard]] Collector OnCollect(std::function<void()> read);

  // All series in Prometheus's text format 0.0.4.
  std::string Text();

  static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

 private:
  struct State;
  void EndCollector(u64 id);
  std::unique_ptr<State> state_;
};

}  // namespace ptxfarm::telemetry
