#include "worker/confine/seccomp_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace ptxfarm::confine {
namespace {

#if defined(__x86_64__)
constexpr u32 kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr u32 kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "name this machine's AUDIT_ARCH"
#endif

// What ptxas was seen to call, with and without threads and -g, and what the C library may call in
// its place in other versions. Files are bounded by landlock and limits, memory by limits and
// groups. Not there: socket*, fork, kill, ptrace, mount, unlink, rename, chmod, setrlimit,
// io_uring.
constexpr u32 kAllowed[] = {
#if defined(__x86_64__)  // The older calls, which newer machines never had.
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_arch_prctl,
    SYS_time,
    SYS_dup2,
    SYS_pipe,
    SYS_poll,
    SYS_getrlimit,
    SYS_getdents,
#endif
    // Files.
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_openat,
    SYS_close,
    SYS_lseek,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_statfs,
    SYS_fstatfs,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_fcntl,
    SYS_ftruncate,
    SYS_fsync,
    SYS_fdatasync,
    SYS_fallocate,
    SYS_fadvise64,
    SYS_getdents64,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_ppoll,
    SYS_umask,
    // Memory.
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_brk,
    SYS_madvise,
    SYS_mincore,
    // Threads and signals of its own.
    SYS_futex,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_rseq,
    SYS_set_tid_address,
    SYS_exit,
    SYS_exit_group,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_get_priority_min,
    SYS_sched_get_priority_max,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_membarrier,
    SYS_restart_syscall,
    // Who and when.
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_times,
    SYS_getrusage,
    SYS_sysinfo,
    SYS_uname,
    SYS_getrandom,
    SYS_getcpu,
};

// Refused in words that programs know from elsewhere; all the rest is simply not there.
constexpr u32 kRefused[] = {
#if defined(__x86_64__)
    SYS_fork,   SYS_vfork,
#endif
    SYS_socket, SYS_socketpair, SYS_kill, SYS_tkill, SYS_ptrace,
};

constexpr u32 kAllow = SECCOMP_RET_ALLOW;
constexpr u32 kKill = SECCOMP_RET_KILL_PROCESS;
// A library that asks for something new takes ENOSYS as "an old kernel" and does without.
constexpr u32 kUnknown = SECCOMP_RET_ERRNO | ENOSYS;
constexpr u32 kRefuse = SECCOMP_RET_ERRNO | EPERM;

// A program of the kernel's classic packet filter, grown instruction by instruction.
class Filter {
 public:
  void LoadNumber() { Load(offsetof(seccomp_data, nr)); }
  void LoadLow(int argument) { Load(ArgumentOffset(argument)); }
  void LoadHigh(int argument) { Load(ArgumentOffset(argument) + 4); }
  void Return(u32 verdict) { Add(BPF_STMT(BPF_RET | BPF_K, verdict)); }
  // Goes on when the loaded word is `value`, else passes over `skipped` instructions.
  void IfEqual(u32 value, u8 skipped) { Jump(BPF_JEQ, value, 0, skipped); }
  // Goes on when the loaded word has one of `bits`.
  void IfAnyOf(u32 bits, u8 skipped) { Jump(BPF_JSET, bits, 0, skipped); }
  void UnlessEqual(u32 value, u8 skipped) { Jump(BPF_JEQ, value, skipped, 0); }
  void IfAtLeast(u32 value, u8 skipped) { Jump(BPF_JGE, value, 0, skipped); }
  // Installing a filter, the kernel tries all call numbers on it, to remember those that always
  // pass; that takes longer than all the calls of a compile do. It gives up at arithmetic.
  void DontPrecompute() { Add(BPF_STMT(BPF_ALU | BPF_OR | BPF_K, 0)); }
  void LoadArchitecture() { Load(offsetof(seccomp_data, arch)); }

  int Install() {
    const sock_fprog program{static_cast<u16>(used_), code_.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
  }

 private:
  // Arguments are 64 bits wide and the filter reads 32: little end first on both machines above.
  static u32 ArgumentOffset(int argument) {
    return static_cast<u32>(offsetof(seccomp_data, args)) + 8 * static_cast<u32>(argument);
  }
  void Load(u64 offset) { Add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<u32>(offset))); }
  void Jump(u16 test, u32 value, u8 if_true, u8 if_false) {
    Add(BPF_JUMP(static_cast<u16>(BPF_JMP | test | BPF_K), value, if_true, if_false));
  }
  void Add(sock_filter instruction) { code_[used_++] = instruction; }

  std::array<sock_filter, 2 * (std::size(kAllowed) + std::size(kRefused)) + 64> code_{};
  std::size_t used_ = 0;
};

// Numbers mean other calls to another machine's programs.
void CheckMachine(Filter& filter) {
  filter.DontPrecompute();
  filter.LoadArchitecture();
  filter.UnlessEqual(kArchitecture, 1);
  filter.Return(kKill);
  filter.LoadNumber();
#if defined(__x86_64__)
  constexpr u32 kX32Numbers = 0x40000000;
  filter.IfAtLeast(kX32Numbers, 1);
  filter.Return(kKill);
#endif
}

void AllowOneExec(Filter& filter, const char* program_path) {
  const u64 address = reinterpret_cast<u64>(program_path);
  filter.IfEqual(SYS_execve, 6);
  filter.LoadLow(0);
  filter.IfEqual(static_cast<u32>(address), 3);
  filter.LoadHigh(0);
  filter.IfEqual(static_cast<u32>(address >> 32), 1);
  filter.Return(kAllow);
  filter.Return(kKill);
  filter.IfEqual(SYS_execveat, 1);
  filter.Return(kKill);
}

void AllowThreadsAlone(Filter& filter) {
  // clone3 keeps its flags in memory, where a filter can't look; without it the C library falls
  // back to clone.
  filter.IfEqual(SYS_clone, 4);
  filter.LoadLow(0);
  filter.IfAnyOf(CLONE_THREAD, 1);
  filter.Return(kAllow);
  filter.Return(kRefuse);
}

void AllowWhatTouchesOnlyItself(Filter& filter) {
  // abort() and pthread_kill() name the process that they are in.
  filter.IfEqual(SYS_tgkill, 4);
  filter.LoadLow(0);
  filter.IfEqual(static_cast<u32>(::getpid()), 1);
  filter.Return(kAllow);
  filter.Return(kRefuse);
  // Reading limits is prlimit64 without new ones.
  filter.IfEqual(SYS_prlimit64, 6);
  filter.LoadLow(2);
  filter.IfEqual(0, 3);
  filter.LoadHigh(2);
  filter.IfEqual(0, 1);
  filter.Return(kAllow);
  filter.Return(kRefuse);
  // isatty() and the like: what it has open is no terminal.
  filter.IfEqual(SYS_ioctl, 1);
  filter.Return(SECCOMP_RET_ERRNO | ENOTTY);
}

}  // namespace

int ApplySeccomp(const char* program_path) {
  Filter filter;
  CheckMachine(filter);
  for (const u32 number : kAllowed) {
    filter.IfEqual(number, 1);
    filter.Return(kAllow);
  }
  // Each of these blocks returns once it has loaded something else than the number.
  AllowOneExec(filter, program_path);
  AllowThreadsAlone(filter);
  AllowWhatTouchesOnlyItself(filter);
  for (const u32 number : kRefused) {
    filter.IfEqual(number, 1);
    filter.Return(kRefuse);
  }
  filter.Return(kUnknown);
  return filter.Install();
}

bool SeccompIsThere() {
  const u32 action = SECCOMP_RET_KILL_PROCESS;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

}  // namespace ptxfarm::confine
