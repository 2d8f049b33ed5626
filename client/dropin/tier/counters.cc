#include "client/dropin/tier/counters.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace ptxfarm::dropin {
namespace {

// clang-format off
constexpr CounterRow kRows[] = {
    {Counter::kHit,     "hits",          "served from the local results"},
    {Counter::kJoined,  "joined",        "waited for another process that made the same"},
    {Counter::kFarm,    "farm",          "answered by a farm"},
    {Counter::kTool,    "tool",          "compiled by the toolkit of this machine"},
    {Counter::kPassed,  "passed",        "not for the local results: the tool itself ran"},
    {Counter::kDamaged, "damaged",       "damaged files that were dropped"},
    {Counter::kEvicted, "evicted",       "removed to stay within the bound"},
    {Counter::kBytes,   "bytes",         "bytes of all results, about"},
    {Counter::kNvccHit,    "nvcc_hits",   "calls of nvcc served whole"},
    {Counter::kNvccMiss,   "nvcc_misses", "calls of nvcc that ran"},
    {Counter::kNvccPassed, "nvcc_passed", "calls of nvcc that are not for a cache"},
    {Counter::kCiccHit,    "cicc_hits",   "nvcc's steps from CUDA to PTX that were served"},
    {Counter::kCiccMiss,   "cicc_misses", "such steps that ran"},
    {Counter::kCiccPassed, "cicc_passed", "such steps that are not for a cache"},
};
// clang-format on

// The first word is kept for a version.
constexpr std::size_t kFileBytes = 4096;
constexpr u64 kVersion = 1;
static_assert((std::size(kRows) + 1) * sizeof(u64) <= kFileBytes);

std::size_t SlotOf(Counter counter) { return static_cast<std::size_t>(counter) + 1; }

}  // namespace

std::span<const CounterRow> CounterRows() { return kRows; }

std::optional<Counters> Counters::Open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return std::nullopt;
  struct stat info {};
  // Beyond the end of a file the memory can't be touched, so it is made long enough first.
  const bool usable = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                      (info.st_size >= static_cast<off_t>(kFileBytes) ||
                       ::posix_fallocate(file, 0, kFileBytes) == 0);
  void* const memory =
      usable ? ::mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
             : MAP_FAILED;
  ::close(file);
  if (memory == MAP_FAILED) return std::nullopt;
  u64* const values = static_cast<u64*>(memory);
  std::atomic_ref<u64>(values[0]).store(kVersion, std::memory_order_relaxed);
  return Counters(values);
}

Counters::Counters(Counters&& other) noexcept : values_(std::exchange(other.values_, nullptr)) {}

Counters::~Counters() {
  if (values_ != nullptr) ::munmap(values_, kFileBytes);
}

u64 Counters::Add(Counter counter, i64 difference) {
  const u64 added = static_cast<u64>(difference);
  return std::atomic_ref<u64>(values_[SlotOf(counter)]).fetch_add(added) + added;
}

void Counters::Set(Counter counter, u64 value) {
  std::atomic_ref<u64>(values_[SlotOf(counter)]).store(value);
}

u64 Counters::Get(Counter counter) const {
  return std::atomic_ref<u64>(values_[SlotOf(counter)]).load();
}

}  // namespace ptxfarm::dropin
