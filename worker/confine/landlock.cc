#include "worker/confine/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace ptxfarm::confine {
namespace {

// The kernel's user interface by number: Debian 12's headers stop at ABI 2, and the helper adapts
// to the kernel it runs on, not to the one it was built on. include/uapi/linux/landlock.h.
struct RulesetAttributes {
  u64 handled_access_fs;
  u64 handled_access_net;  // ABI 4
  u64 scoped;              // ABI 6
};
struct [[gnu::packed]] PathBeneathAttributes {
  u64 allowed_access;
  i32 parent_fd;
};

constexpr unsigned kCreateRulesetVersion = 1;
constexpr int kRulePathBeneath = 1;

constexpr u64 kExecute = 1 << 0;
constexpr u64 kWriteFile = 1 << 1;
constexpr u64 kReadFile = 1 << 2;
constexpr u64 kReadDir = 1 << 3;
constexpr u64 kMakeReg = 1 << 8;
constexpr u64 kTruncate = 1 << 14;
constexpr u64 kOnFiles = kExecute | kWriteFile | kReadFile | kTruncate;

// All rights that each ABI knows: whatever is handled and not granted is refused.
constexpr u64 kFileRights[] = {0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff, 0xffff};
constexpr u64 kTcpBindAndConnect = 3;
constexpr u64 kScopeSocketsAndSignals = 3;

constexpr u64 FileRights(long abi) {
  constexpr long kKnown = static_cast<long>(std::size(kFileRights)) - 1;
  return kFileRights[abi < kKnown ? abi : kKnown];
}

int Allow(int ruleset, const char* path, u64 rights) {
  const int fd = ::open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return errno;
  struct stat info {};
  int failed = ::fstat(fd, &info) == 0 ? 0 : errno;
  if (failed == 0) {
    // Rights of folders are refused on files.
    if (!S_ISDIR(info.st_mode)) rights &= kOnFiles;
    const PathBeneathAttributes rule{rights, fd};
    if (::syscall(SYS_landlock_add_rule, ruleset, kRulePathBeneath, &rule, 0) != 0) failed = errno;
  }
  ::close(fd);
  return failed;
}

int AllowAll(int ruleset, const Request& request, u64 known) {
  // The loader of a dynamic program is executed too, and lies among the libraries.
  for (const char* const path : request.read_paths)
    if (const int failed = Allow(ruleset, path, kReadFile | kReadDir | kExecute);
        failed != 0 && failed != ENOENT)
      return failed;
  if (request.program != nullptr)
    if (const int failed = Allow(ruleset, request.program[0], kReadFile | kExecute)) return failed;
  return Allow(ruleset, request.folder,
               (kReadFile | kReadDir | kWriteFile | kMakeReg | kTruncate) & known);
}

}  // namespace

int ApplyLandlock(const Request& request) {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kCreateRulesetVersion);
  if (abi < 1) return abi < 0 ? errno : ENOSYS;
  RulesetAttributes attributes{FileRights(abi), 0, 0};
  if (abi >= 4) attributes.handled_access_net = kTcpBindAndConnect;
  if (abi >= 6) attributes.scoped = kScopeSocketsAndSignals;
  // A kernel that knows less takes the longer struct, as long as what it doesn't know is zero.
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0);
  if (ruleset < 0) return errno;
  int failed = AllowAll(static_cast<int>(ruleset), request, FileRights(abi));
  if (failed == 0 && ::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) failed = errno;
  ::close(static_cast<int>(ruleset));
  return failed;
}

}  // namespace ptxfarm::confine
