#include "telemetry/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>

#include "base/file.h"

namespace ptxfarm::telemetry {

std::span<const MetricRow> ProcessMetricRows() {
  // clang-format off
  static const MetricRow rows[] = {
      {"process_resident_memory_bytes",   MetricKind::kGauge, "Memory of the process that is in use."},
      {"process_virtual_memory_bytes",    MetricKind::kGauge, "Address space of the process."},
      {"process_cpu_seconds_total",       MetricKind::kCounter, "Processor time, of user and system."},
      {"process_open_fds",                MetricKind::kGauge, "Open file descriptors."},
      {"process_max_fds",                 MetricKind::kGauge, "The most file descriptors that may be open."},
      {"process_threads",                 MetricKind::kGauge, "Threads."},
      {"process_start_time_seconds",      MetricKind::kGauge, "When the process began, since 1970."},
      {"ptxfarm_build_info",              MetricKind::kGauge, "Always 1; the label tells the version.", {{"version"}}},
  };
  // clang-format on
  return rows;
}

namespace {

// Field `index` of a line of numbers parted by blanks, 0 where there is none.
double NumberAt(std::string_view line, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return 0;
    line.remove_prefix(blank + 1);
  }
  u64 number = 0;
  std::from_chars(line.data(), line.data() + line.size(), number);
  return static_cast<double>(number);
}

std::size_t FilesIn(const char* folder) {
  std::error_code error;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    ++count;
  return count;
}

}  // namespace

ProcessMetrics::ProcessMetrics(Metrics& metrics, const std::string& version) {
  metrics.Register(ProcessMetricRows());
  resident_bytes_ = metrics.GetGauge("process_resident_memory_bytes");
  virtual_bytes_ = metrics.GetGauge("process_virtual_memory_bytes");
  processor_seconds_ = metrics.GetCounter("process_cpu_seconds_total");
  open_files_ = metrics.GetGauge("process_open_fds");
  threads_ = metrics.GetGauge("process_threads");
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0)
    metrics.GetGauge("process_max_fds").Set(static_cast<double>(files.rlim_cur));
  // When this object is made, near enough: programs make it first.
  metrics.GetGauge("process_start_time_seconds")
      .Set(std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
               .count());
  metrics.GetGauge("ptxfarm_build_info", {version}).Set(1);
  collector_ = metrics.OnCollect([this] { Read(); });
}

void ProcessMetrics::Read() const {
  // proc(5): /proc/self/statm is sizes in pages; /proc/self/stat has the thread count as its 20th
  // field, the 18th behind the name in parentheses, which may hold blanks.
  const std::string statm = ReadFile("/proc/self/statm", 4096).value_or("");
  const auto page_bytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
  virtual_bytes_.Set(NumberAt(statm, 0) * page_bytes);
  resident_bytes_.Set(NumberAt(statm, 1) * page_bytes);
  const std::string stat = ReadFile("/proc/self/stat", 4096).value_or("");
  const std::size_t name_end = stat.rfind(')');
  if (name_end != std::string::npos)
    threads_.Set(NumberAt(std::string_view(stat).substr(name_end + 1), 18));

  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  processor_seconds_.RaiseTo(seconds(usage.ru_utime) + seconds(usage.ru_stime));
  // One of them is the folder that is being read.
  open_files_.Set(static_cast<double>(FilesIn("/proc/self/fd")) - 1);
}

}  // namespace ptxfarm::telemetry
