#include "telemetry/metrics.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include "base/check.h"
#include "telemetry/metric_rows.h"

namespace ptxfarm::telemetry {

std::vector<double> SecondsBuckets() {
  return {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
          0.5,    1,     2.5,    5,     10,   30,    60,   120, 300};
}

std::vector<double> BytesBuckets() {
  std::vector<double> bounds;
  for (u64 bound = 1 << 10; bound <= 1 << 30; bound *= 4)
    bounds.push_back(static_cast<double>(bound));
  return bounds;
}

void Counter::Add(u64 count) const {
  if (series_ != nullptr) series_->Increment(static_cast<double>(count));
}
void Counter::RaiseTo(double total) const {
  if (series_ != nullptr && total > series_->Value()) series_->Increment(total - series_->Value());
}
void Gauge::Set(double value) const {
  if (series_ != nullptr) series_->Set(value);
}
void Gauge::Add(double by) const {
  if (series_ != nullptr) series_->Increment(by);
}
void Histogram::Observe(double value) const {
  if (series_ != nullptr) series_->Observe(value);
}

namespace {

struct Family {
  MetricRow row;
  std::variant<prometheus::Family<prometheus::Counter>*, prometheus::Family<prometheus::Gauge>*,
               prometheus::Family<prometheus::Histogram>*>
      series;
  // What was made for rows with an open label, to keep to the bound.
  std::vector<std::map<std::string, std::string>> open_series = {};
};

bool SameRow(const MetricRow& a, const MetricRow& b) {
  const auto same_label = [](const Label& x, const Label& y) {
    return x.name == y.name && x.values == y.values;
  };
  return a.kind == b.kind && a.help == b.help && a.buckets == b.buckets &&
         std::equal(a.labels.begin(), a.labels.end(), b.labels.begin(), b.labels.end(), same_label);
}

bool HasOpenLabel(const MetricRow& row) {
  return std::any_of(row.labels.begin(), row.labels.end(),
                     [](const Label& label) { return label.values.empty(); });
}

std::map<std::string, std::string> LabelsOf(const MetricRow& row,
                                            std::initializer_list<std::string_view> values) {
  PTXFARM_CHECK(values.size() == row.labels.size(), row.name);
  std::map<std::string, std::string> labels;
  auto value = values.begin();
  for (const Label& label : row.labels) {
    const bool known = label.values.empty() || std::find(label.values.begin(), label.values.end(),
                                                         *value) != label.values.end();
    PTXFARM_CHECK(known,
                  fmt::format("{}: label {} has no value '{}'", row.name, label.name, *value));
    labels.emplace(label.name, *value++);
  }
  return labels;
}

// Beyond the bound every open label is "other", so that hostile input can't make the page grow.
void Bound(Family& family, std::map<std::string, std::string>& labels) {
  if (!HasOpenLabel(family.row)) return;
  if (std::find(family.open_series.begin(), family.open_series.end(), labels) !=
      family.open_series.end())
    return;
  if (family.open_series.size() < kOpenSeriesMax) {
    family.open_series.push_back(labels);
    return;
  }
  for (const Label& label : family.row.labels) {
    if (label.values.empty()) labels[label.name] = "other";
  }
}

}  // namespace

struct Metrics::State {
  prometheus::Registry registry;

  std::mutex families_mutex;
  std::map<std::string, Family, std::less<>> families;

  // Held while collectors run, so that ending one waits for its call. A collector must not make or
  // end another.
  std::mutex collectors_mutex;
  std::map<u64, std::function<void()>> collectors;
  u64 next_collector = 1;

  // The family's series for these labels.
  template <typename T, typename... Args>
  T& Series(std::string_view name, std::initializer_list<std::string_view> values) {
    const std::lock_guard lock(families_mutex);
    const auto found = families.find(name);
    PTXFARM_CHECK(found != families.end(), fmt::format("no metric {}", name));
    Family& family = found->second;
    const auto series = std::get_if<prometheus::Family<T>*>(&family.series);
    PTXFARM_CHECK(series != nullptr, fmt::format("{} is of another kind", name));
    std::map<std::string, std::string> labels = LabelsOf(family.row, values);
    Bound(family, labels);
    if constexpr (std::is_same_v<T, prometheus::Histogram>) {
      return (*series)->Add(labels, family.row.buckets);
    } else {
      return (*series)->Add(labels);
    }
  }
};

Metrics::Metrics() : state_(std::make_unique<State>()) {}
Metrics::~Metrics() = default;

void Metrics::Register(std::span<const MetricRow> rows) {
  const std::lock_guard lock(state_->families_mutex);
  for (const MetricRow& row : rows) {
    const std::string complaint = Complaint(row);
    PTXFARM_CHECK(complaint.empty(), fmt::format("{}: {}", row.name, complaint));
    if (const auto found = state_->families.find(row.name); found != state_->families.end()) {
      PTXFARM_CHECK(SameRow(found->second.row, row), row.name);
      continue;
    }
    Family family{.row = row, .series = {}};
    const auto build = [&](auto builder) {
      family.series = &builder.Name(row.name).Help(row.help).Register(state_->registry);
    };
    switch (row.kind) {
      case MetricKind::kCounter: build(prometheus::BuildCounter()); break;
      case MetricKind::kGauge: build(prometheus::BuildGauge()); break;
      case MetricKind::kHistogram: build(prometheus::BuildHistogram()); break;
    }
    state_->families.emplace(row.name, std::move(family));
  }
}

Counter Metrics::GetCounter(std::string_view name, std::initializer_list<std::string_view> values) {
  return Counter(&state_->Series<prometheus::Counter>(name, values));
}

Gauge Metrics::GetGauge(std::string_view name, std::initializer_list<std::string_view> values) {
  return Gauge(&state_->Series<prometheus::Gauge>(name, values));
}

Histogram Metrics::GetHistogram(std::string_view name,
                                std::initializer_list<std::string_view> values) {
  return Histogram(&state_->Series<prometheus::Histogram>(name, values));
}

Metrics::Collector Metrics::OnCollect(std::function<void()> read) {
  const std::lock_guard lock(state_->collectors_mutex);
  const u64 id = state_->next_collector++;
  state_->collectors.emplace(id, std::move(read));
  return Collector(this, id);
}

void Metrics::EndCollector(u64 id) {
  const std::lock_guard lock(state_->collectors_mutex);
  state_->collectors.erase(id);
}

Metrics::Collector::Collector(Collector&& other) noexcept
    : metrics_(std::exchange(other.metrics_, nullptr)), id_(other.id_) {}

Metrics::Collector& Metrics::Collector::operator=(Collector&& other) noexcept {
  if (this == &other) return *this;
  if (metrics_ != nullptr) metrics_->EndCollector(id_);
  metrics_ = std::exchange(other.metrics_, nullptr);
  id_ = other.id_;
  return *this;
}

Metrics::Collector::~Collector() {
  if (metrics_ != nullptr) metrics_->EndCollector(id_);
}

std::string Metrics::Text() {
  {
    const std::lock_guard lock(state_->collectors_mutex);
    for (const auto& [id, read] : state_->collectors) read();
  }
  return prometheus::TextSerializer().Serialize(state_->registry.Collect());
}

}  // namespace ptxfarm::telemetry
