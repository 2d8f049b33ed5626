#include "client/local/local_farm.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/file.h"
#include "client/local/lock.h"
#include "client/local/process.h"

namespace ptxfarm::local {
namespace {

constexpr u64 kRecordBytesMax = 64 << 10;

bool AcceptsConnections(const std::string& socket_path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof(address.sun_path)) return false;
  std::memcpy(address.sun_path, socket_path.c_str(), socket_path.size() + 1);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return false;
  // EAGAIN: its queue of new connections is full, so it lives.
  const bool accepts =
      ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 ||
      errno == EAGAIN;
  ::close(descriptor);
  return accepts;
}

// By numbers: "0.9.1" before "0.10.0". A version that can't be read counts as old.
bool VersionBefore(std::string_view a, std::string_view b) {
  const auto take = [](std::string_view& text) {
    u32 number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with('.')) text.remove_prefix(1);
    return error == std::errc() ? number : 0;
  };
  while (!a.empty() || !b.empty()) {
    const u32 left = take(a);
    const u32 right = take(b);
    if (left != right) return left < right;
    if (!a.empty() && (a[0] < '0' || a[0] > '9')) return false;
    if (!b.empty() && (b[0] < '0' || b[0] > '9')) return false;
  }
  return false;
}

Result<FarmRecord> Start(const LocalFarmOptions& options) {
  // What a farm that crashed left: its socket would be in the way of the new one's.
  ::unlink(options.files.socket().c_str());
  ::unlink(options.files.record().c_str());
  const DaemonCommand command{options.program, options.arguments, options.files.log()};
  PTXFARM_ASSIGN_OR_RETURN(const std::string line, StartDaemon(command, options.start_timeout));
  return ParseFarmRecord(line);
}

}  // namespace

std::optional<FarmRecord> FindFarm(const FarmFiles& files) {
  if (!AcceptsConnections(files.socket())) return std::nullopt;
  const Result<std::string> text = ReadFile(files.record(), kRecordBytesMax);
  if (!text) return std::nullopt;
  const Result<FarmRecord> record = ParseFarmRecord(*text);
  return record ? std::optional(*record) : std::nullopt;
}

Result<FarmRecord> EnsureFarm(const LocalFarmOptions& options) {
  const auto find_current = [&] {
    std::optional<FarmRecord> farm = FindFarm(options.files);
    if (farm && IsOutdated(*farm, options.version)) farm.reset();
    return farm;
  };
  if (std::optional<FarmRecord> farm = find_current()) return *std::move(farm);

  PTXFARM_ASSIGN_OR_RETURN(const FileLock lock, FileLock::Wait(options.files.start_lock()));
  // Whoever held the lock before us may have started it.
  if (std::optional<FarmRecord> farm = find_current()) return *std::move(farm);

  // What still lives here is outdated, ending, or hangs; it has the store, which the next one
  // needs.
  if (const std::optional<pid_t> old = HolderOf(options.files.life_lock())) {
    if (options.notice) options.notice("ending the local farm that ran before");
    PTXFARM_RETURN_IF_ERROR(EndProcess(*old, options.drain_timeout));
  }
  if (options.notice) options.notice("starting the local farm");
  Result<FarmRecord> started = Start(options);
  if (!started) return std::move(started).error().Wrap("start the local farm");
  return started;
}

Result<bool> StopFarm(const FarmFiles& files, std::chrono::milliseconds drain_timeout) {
  PTXFARM_ASSIGN_OR_RETURN(const FileLock lock, FileLock::Wait(files.start_lock()));
  const std::optional<pid_t> farm = HolderOf(files.life_lock());
  if (!farm) return false;
  PTXFARM_RETURN_IF_ERROR(EndProcess(*farm, drain_timeout));
  ::unlink(files.socket().c_str());
  ::unlink(files.record().c_str());
  return true;
}

Result<std::string> FindServeProgram() {
  char path[4096];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof(path));
  if (size <= 0 || size == sizeof(path)) return ErrnoError(errno, "read /proc/self/exe");
  std::string folder(path, static_cast<std::size_t>(size));
  folder.resize(folder.rfind('/'));
  const std::string places[] = {folder + "/../libexec/ptxfarm/ptxfarm-serve",
                                folder + "/ptxfarm-serve"};
  for (const std::string& place : places)
    if (::access(place.c_str(), X_OK) == 0) return place;
  return MakeError(Code::kNotFound,
                   "ptxfarm-serve, which runs the local farm, is neither {} nor {}; install it, or "
                   "name a server with "
                   "--server",
                   places[0], places[1]);
}

bool IsOutdated(const FarmRecord& farm, const std::string& version) {
  if (VersionBefore(farm.version, version)) return true;
  // A program that is gone for a moment, while it is being installed, is no reason.
  const Result<ProgramStamp> now = StampOf(farm.program.path);
  return now && *now != farm.program;
}

}  // namespace ptxfarm::local
