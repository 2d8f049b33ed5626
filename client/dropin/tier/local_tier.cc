#include "client/dropin/tier/local_tier.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/file.h"
#include "client/dropin/tier/sha256_stream.h"

namespace ptxfarm::dropin {
namespace {

// How old the mark of use may be before a hit renews it: eviction needs no more.
constexpr i64 kUseSecondsMax = 3600;

struct File {
  explicit File(const std::string& path)
      : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {}
  ~File() {
    if (descriptor >= 0) ::close(descriptor);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const int descriptor;
};

i64 AgeOf(const struct stat& info) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec - info.st_mtim.tv_sec;
}

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Notes are records too: their text is the object of one.
std::string NotePath(const std::string& folder, const Sha256& name) {
  return folder + "/" + NameOf(name);
}

}  // namespace

std::optional<LocalTier> LocalTier::OfUser() {
  if (const std::string named = Variable("PTXFARM_LOCAL_RESULTS"); !named.empty())
    return named.starts_with('/') ? std::optional(LocalTier(named)) : std::nullopt;
  std::string cache = Variable("XDG_CACHE_HOME");
  if (!cache.starts_with('/')) {
    const std::string home = Variable("HOME");
    if (!home.starts_with('/')) return std::nullopt;
    cache = home + "/.cache";
  }
  return LocalTier(cache + "/ptxfarm/results");
}

std::string LocalTier::PathOf(const Sha256& key) const {
  const std::string name = NameOf(key);
  return folder_ + "/" + name.substr(0, 2) + "/" + name.substr(2);
}

std::optional<Record> LocalTier::Get(const Sha256& key) const {
  const std::string path = PathOf(key);
  const File file(path);
  struct stat info {};
  if (file.descriptor < 0 || ::fstat(file.descriptor, &info) != 0) return std::nullopt;
  Result<std::string> bytes = ReadDescriptor(file.descriptor, path, kRecordBytesMax);
  if (!bytes) return std::nullopt;
  std::optional<Record> record = Record::Unpack(*std::move(bytes), key);
  if (!record) {
    ::unlink(path.c_str());
    Count(Counter::kDamaged);
    return std::nullopt;
  }
  const i64 age = AgeOf(info);
  if (age < 0 || age > kUseSecondsMax) ::futimens(file.descriptor, nullptr);
  return record;
}

Status LocalTier::Put(const Sha256& key, const RecordParts& parts) const {
  const std::string path = PathOf(key);
  PTXFARM_RETURN_IF_ERROR(MakeFolder(path.substr(0, path.rfind('/'))));
  const std::string bytes = PackRecord(key, parts);
  PTXFARM_RETURN_IF_ERROR(ReplaceFile(path, bytes, 0600));
  if (std::optional<Counters> counters = OpenCounters())
    counters->Add(Counter::kBytes, static_cast<i64>(bytes.size()));
  return Ok{};
}

std::optional<LocalTier::Note> LocalTier::GetNote(const Sha256& name) const {
  const std::string path = NotePath(notes(), name);
  const File file(path);
  struct stat info {};
  if (file.descriptor < 0 || ::fstat(file.descriptor, &info) != 0) return std::nullopt;
  Result<std::string> bytes = ReadDescriptor(file.descriptor, path, 1 << 20);
  if (!bytes) return std::nullopt;
  const std::optional<Record> record = Record::Unpack(*std::move(bytes), name);
  if (!record) {
    ::unlink(path.c_str());
    return std::nullopt;
  }
  return Note{std::string(record->object()), AgeOf(info)};
}

Status LocalTier::PutNote(const Sha256& name, std::string_view text) const {
  PTXFARM_RETURN_IF_ERROR(MakeFolder(notes()));
  return ReplaceFile(NotePath(notes(), name),
                     PackRecord(name, {.has_object = true, .object = text}), 0600);
}

void LocalTier::RemoveNote(const Sha256& name) const { ::unlink(NotePath(notes(), name).c_str()); }

void LocalTier::Count(Counter counter) const {
  if (std::optional<Counters> counters = OpenCounters()) counters->Add(counter, 1);
}

Status MakeFolder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return Ok{};
  const int error = errno;
  const std::size_t slash = path.rfind('/');
  if (error != ENOENT || slash == std::string::npos || slash == 0)
    return ErrnoError(error, "make the folder " + path);
  PTXFARM_RETURN_IF_ERROR(MakeFolder(path.substr(0, slash)));
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return Ok{};
  return ErrnoError(errno, "make the folder " + path);
}

Status ReplaceFile(const std::string& path, std::string_view bytes, mode_t mode) {
  const std::string beside = path + "." + UniqueSuffix() + ".tmp";
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) return ErrnoError(errno, "create " + path);
  Status written = WriteDescriptor(file, bytes, path);
  if (::close(file) != 0 && written) written = ErrnoError(errno, "close " + path);
  if (written && ::rename(beside.c_str(), path.c_str()) != 0)
    written = ErrnoError(errno, "rename to " + path);
  if (!written) ::unlink(beside.c_str());
  return written;
}

std::string UniqueSuffix() {
  // Processes of two machines may have one number; not at one nanosecond too.
  static u32 counter = 0;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::to_string(::getpid()) + "." + std::to_string(now.tv_nsec) + "." +
         std::to_string(counter++);
}

}  // namespace ptxfarm::dropin
