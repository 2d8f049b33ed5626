#include "client/dropin/tool/file_stamp.h"

#include <sys/stat.h>
#include <time.h>

namespace ptxfarm::dropin {
namespace {

// The coarsest file systems count their times in two seconds.
constexpr i64 kSettledNs = 2'000'000'000;

i64 NsOf(const timespec& time) { return i64{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

}  // namespace

std::optional<FileStamp> StampOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return FileStamp{info.st_dev, info.st_ino, static_cast<u64>(info.st_size), NsOf(info.st_mtim),
                   NsOf(info.st_ctim)};
}

i64 NowNs() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return NsOf(now);
}

bool IsSettled(const FileStamp& stamp, i64 now_ns) {
  return now_ns - stamp.changed_ns > kSettledNs && now_ns - stamp.modified_ns > kSettledNs;
}

}  // namespace ptxfarm::dropin
