#include "worker/confine/protections.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "worker/confine/landlock.h"
#include "worker/confine/seccomp_filter.h"

namespace ptxfarm::confine {
namespace {

// Standard input, output and error, the program and the loader's files, the input and the object.
constexpr u64 kOpenFilesMax = 64;
// Address space that isn't memory: libraries, stacks of threads, heaps reserved and not used.
constexpr u64 kAddressSlackBytes = u64{2} << 30;

int Session(const Request&) {
  // posix_spawn was asked for a session already; by hand it may not have been.
  if (::getsid(0) == ::getpid()) return 0;
  return ::setsid() >= 0 ? 0 : errno;
}

int JoinGroup(const char* file) {
  const int fd = ::open(file, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  // "0" is whoever writes it: one thread, so that the kernel needs no lock over all of them.
  const int failed = ::write(fd, "0", 1) == 1 ? 0 : errno;
  ::close(fd);
  return failed;
}

int Groups(const Request& request) {
  for (const char* const file : request.group_files)
    if (const int failed = JoinGroup(file)) return failed;
  return 0;
}

int Limit(__rlimit_resource resource, u64 value) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return errno;
  const u64 hard = resource == RLIMIT_CPU ? value + 1 : value;
  limit.rlim_max = std::min<u64>(hard, limit.rlim_max);
  limit.rlim_cur = std::min<u64>(value, limit.rlim_max);
  return ::setrlimit(resource, &limit) == 0 ? 0 : errno;
}

int Limits(const Request& request) {
  struct Row {
    __rlimit_resource resource;
    u64 value;  // 0: as it is.
  };
  const u64 memory = request.memory_bytes;
  const Row rows[] = {
      {RLIMIT_DATA, memory},
      {RLIMIT_AS, memory == 0 ? 0 : memory + kAddressSlackBytes},
      {RLIMIT_CPU, request.cpu_seconds},  // SIGXCPU, and SIGKILL a second later.
      {RLIMIT_FSIZE, request.file_bytes},
      {RLIMIT_NOFILE, kOpenFilesMax},
      // Not 0: to a machine whose cores go into a program, 1 is what says "none" (core(5)).
      {RLIMIT_CORE, 1},
  };
  for (const Row& row : rows)
    if (row.value != 0)
      if (const int failed = Limit(row.resource, row.value)) return failed;
  return 0;
}

int Descriptors(const Request&) {
  // Closed by the exec rather than now: the report's descriptor lives until then.
  return ::syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC) == 0 ? 0 : errno;
}

int Namespaces(const Request& request) {
  // The identity stays: files keep their owner, and what was root's is now nobody's privilege.
  int kinds = CLONE_NEWUSER | CLONE_NEWIPC | CLONE_NEWUTS;
  // A network of its own takes 0.6 ms and locks that all of the kernel shares, ten times as much as
  // the others together; under a filter that gives out no socket at all it adds nothing.
  if (!SeccompIsThere()) kinds |= CLONE_NEWNET;
  if (::unshare(kinds) != 0) return errno;
  // Counted over the namespace just made; outside of one it would count all that this user runs.
  return request.threads == 0 ? 0 : Limit(RLIMIT_NPROC, request.threads);
}

int Capabilities(const Request&) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2]{};
  return ::syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

int NoNewPrivileges(const Request&) {
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

int ParentDeath(const Request& request) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
  // It may have died before the kernel was told.
  return request.parent == 0 || ::getppid() == request.parent ? 0 : ESRCH;
}

int Seccomp(const Request& request) {
  return ApplySeccomp(request.program == nullptr ? nullptr : request.program[0]);
}

// clang-format off
// Namespaces come while unsharing is still allowed, and lose nothing of what groups and limits need; each of the last three
// takes away what the ones above it used. The kernel forgets a parent-death signal when capabilities change.
constexpr Protection kProtections[] = {
    // name               stops                                                            always  apply
    {"session",           "signals and terminals of whoever started the worker",           true,   Session},
    {"groups",            "memory and processes beyond the group's bounds",                true,   Groups},
    {"descriptors",       "files and sockets that the worker has open",                    true,   Descriptors},
    {"limits",            "memory, CPU time, file sizes, open files and cores at will",    true,   Limits},
    {"namespaces",        "shared memory of others, threads without end; the network",      false,  Namespaces},
    {"capabilities",      "what root may do",                                              false,  Capabilities},
    {"no_new_privileges", "programs that run as their owner",                              false,  NoNewPrivileges},
    {"parent_death",      "running on when the worker is gone",                            true,   ParentDeath},
    {"landlock",          "reading the machine's files, writing outside of the scratch",   false,  ApplyLandlock},
    {"seccomp",           "sockets, processes, programs, all calls that no compiler needs", false, Seccomp},
};
// clang-format on

}  // namespace

std::span<const Protection> Protections() { return kProtections; }

}  // namespace ptxfarm::confine
