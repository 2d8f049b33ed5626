#include "client/dropin/tier/trim.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <vector>

#include "base/file.h"

namespace ptxfarm::dropin {
namespace {

// Older temporary files, locks and scratch folders belong to nobody any more: no compile takes so
// long.
constexpr i64 kLeftoverSeconds = 24 * 3600;

// A result on disk.
struct Found {
  std::string path;
  Sha256 key{};
  u64 bytes = 0;
  i64 used_ns = 0;
};

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const open = ::opendir(folder.c_str());
  if (open == nullptr) return names;
  while (const dirent* const entry = ::readdir(open))
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  ::closedir(open);
  return names;
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<Sha256> KeyOfName(const std::string& hex) {
  Sha256 key;
  if (hex.size() != 2 * key.size()) return std::nullopt;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const int high = HexValue(hex[2 * i]), low = HexValue(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    key[i] = static_cast<u8>(high << 4 | low);
  }
  return key;
}

void RemoveIfLeftover(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || ::time(nullptr) - info.st_mtim.tv_sec < kLeftoverSeconds)
    return;
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

// Calls `visit` with every result; what has no key's name is a leftover.
template <typename Visit>
void ForEachResult(const LocalTier& tier, const Visit& visit) {
  for (const std::string& prefix : NamesIn(tier.folder())) {
    if (prefix.size() != 2) continue;
    const std::string folder = tier.folder() + "/" + prefix;
    for (const std::string& name : NamesIn(folder)) {
      const std::string path = folder + "/" + name;
      const std::optional<Sha256> key = KeyOfName(prefix + name);
      struct stat info {};
      if (!key)
        RemoveIfLeftover(path);
      else if (::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode))
        visit(Found{path, *key, static_cast<u64>(info.st_size),
                    i64{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec});
    }
  }
}

u64 EvictTo(std::vector<Found>& found, u64 bytes, u64 bytes_max, Counters* counters) {
  std::ranges::sort(found, {}, &Found::used_ns);
  for (const Found& oldest : found) {
    if (bytes <= bytes_max) break;
    if (::unlink(oldest.path.c_str()) != 0) continue;
    bytes -= oldest.bytes;
    if (counters != nullptr) counters->Add(Counter::kEvicted, 1);
  }
  return bytes;
}

}  // namespace

TierUse UseOf(const LocalTier& tier) {
  TierUse use;
  ForEachResult(tier, [&use](const Found& found) {
    ++use.results;
    use.bytes += found.bytes;
  });
  return use;
}

Status Trim(const LocalTier& tier, u64 bytes_max) {
  PTXFARM_RETURN_IF_ERROR(MakeFolder(tier.folder()));
  const std::string path = tier.folder() + "/trim.lock";
  const int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return ErrnoError(errno, "open " + path);
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(lock);
    return Ok{};
  }
  std::vector<Found> found;
  u64 bytes = 0;
  ForEachResult(tier, [&](const Found& result) {
    bytes += result.bytes;
    found.push_back(result);
  });
  std::optional<Counters> counters = tier.OpenCounters();
  if (bytes > bytes_max)
    bytes = EvictTo(found, bytes, bytes_max / 10 * 9, counters ? &*counters : nullptr);
  if (counters) counters->Set(Counter::kBytes, bytes);
  for (const std::string& folder : {tier.locks(), tier.scratch(), tier.notes()})
    for (const std::string& name : NamesIn(folder)) RemoveIfLeftover(folder + "/" + name);
  ::close(lock);
  return Ok{};
}

void TrimInBackground(const LocalTier& tier, u64 bytes_max) {
  const std::optional<Counters> counters = tier.OpenCounters();
  if (!counters || counters->Get(Counter::kBytes) <= bytes_max) return;
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child > 0) {
    ::waitpid(child, nullptr, 0);
    return;
  }
  // Of a session of its own and nobody's child, without the streams that a caller waits on.
  if (::setsid() < 0 || ::fork() != 0) ::_exit(0);
  const int null = ::open("/dev/null", O_RDWR);
  for (int stream = 0; stream <= 2; ++stream) ::dup2(null, stream);
  ::close_range(3, ~0U, 0);
  static_cast<void>(Trim(tier, bytes_max));
  ::_exit(0);
}

Status Clear(const LocalTier& tier) {
  for (const std::string& name : NamesIn(tier.folder())) {
    const bool is_ours = name.size() == 2 || name == "notes" || name == "scratch";
    if (!is_ours) continue;
    std::error_code error;
    std::filesystem::remove_all(tier.folder() + "/" + name, error);
    if (error) return ErrnoError(error.value(), "remove " + tier.folder() + "/" + name);
  }
  if (std::optional<Counters> counters = tier.OpenCounters()) counters->Set(Counter::kBytes, 0);
  return Ok{};
}

u64 RemoveResultsIf(const LocalTier& tier, const VisitResult& visit) {
  u64 removed = 0;
  ForEachResult(tier, [&](const Found& found) {
    Result<std::string> bytes = ReadFile(found.path, kRecordBytesMax);
    std::optional<Record> record;
    if (bytes) record = Record::Unpack(*std::move(bytes), found.key);
    if (visit(found.key, record) && ::unlink(found.path.c_str()) == 0) ++removed;
  });
  return removed;
}

}  // namespace ptxfarm::dropin
