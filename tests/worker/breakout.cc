// A program that tries to get out of its confinement, one way a call, and says how far it came:
// "refused <errno text>" or "done". What the tests of confine/ and process.h run.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

int Say(bool done) {
  const int why = errno;
  std::printf("%s\n", done ? "done" : (std::string("refused ") + std::strerror(why)).c_str());
  return done ? 1 : 0;
}

int Socket(const char*) { return Say(::socket(AF_INET, SOCK_STREAM, 0) >= 0); }
int UnixSocket(const char*) { return Say(::socket(AF_UNIX, SOCK_STREAM, 0) >= 0); }
int Read(const char* path) { return Say(::open(path, O_RDONLY) >= 0); }
int List(const char* path) { return Say(::opendir(path) != nullptr); }
int Write(const char* path) { return Say(::open(path, O_WRONLY | O_CREAT, 0600) >= 0); }
int Unlink(const char* path) { return Say(::unlink(path) == 0); }
int Chmod(const char* path) { return Say(::chmod(path, 0777) == 0); }

int Fork(const char*) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(0);
  return Say(pid > 0);
}

// By number, past what the C library makes of it.
int RawFork(const char*) {
  const long pid = ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) ::_exit(0);
  return Say(pid > 0);
}

int Spawn(const char*) {
  pid_t pid = 0;
  char* arguments[] = {const_cast<char*>("sh"), nullptr};
  errno = ::posix_spawn(&pid, "/bin/sh", nullptr, nullptr, arguments, arguments + 1);
  return Say(errno == 0);
}

int Exec(const char* path) {
  ::execl(path, path, nullptr);
  return Say(false);
}

int ExecItself(const char*) {
  ::execl("/proc/self/exe", "breakout", "say", nullptr);
  return Say(false);
}

int Kill(const char* pid) { return Say(::kill(std::atoi(pid), 0) == 0); }
int Ptrace(const char* pid) { return Say(::ptrace(PTRACE_SEIZE, std::atoi(pid), 0, 0) == 0); }
int Unshare(const char*) { return Say(::unshare(CLONE_NEWUSER) == 0); }

int RaiseLimit(const char*) {
  const rlimit limit{1 << 20, 1 << 20};
  return Say(::setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

int Thread(const char*) {
  std::thread([] {}).join();
  return Say(true);
}

// Starts threads that stay, until no more are given.
int Threads(const char* count) {
  for (int i = 0; i < std::atoi(count); ++i) {
    pthread_t thread;
    errno = ::pthread_create(
        &thread, nullptr,
        [](void*) -> void* {
          ::sleep(60);  // The end of the process is theirs too.
          return nullptr;
        },
        nullptr);
    if (errno != 0) return Say(false);
  }
  return Say(true);
}

// Touches what it takes, until no more is given.
int Memory(const char* megabytes) {
  for (int i = 0; i < std::atoi(megabytes); ++i) {
    void* const page =
        ::mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return Say(false);
    std::memset(page, 1, 1 << 20);
  }
  return Say(true);
}

int Fill(const char* path) {
  const int fd = ::open(path, O_WRONLY | O_CREAT, 0600);
  const std::string block(1 << 16, 'x');
  for (int i = 0; i < 1024; ++i)
    if (::write(fd, block.data(), block.size()) < 0) return Say(false);
  return Say(true);
}

int Spin(const char*) {
  volatile bool forever = true;
  while (forever) {
  }
  return 0;
}

int FillAndSpin(const char* path) {
  const int fd = ::open(path, O_WRONLY | O_CREAT, 0600);
  return fd < 0 ? Say(false) : Spin(nullptr);
}

int SpinWithChild(const char*) {
  // The child leads no session of its own, but holds the output open.
  if (::fork() == 0) return Spin(nullptr);
  return Spin(nullptr);
}

int Chatter(const char*) {
  const std::string line(1023, 'x');
  while (true) std::puts(line.c_str());
}

int Descriptors(const char*) {
  for (int fd = 3; fd < 1024; ++fd)
    if (::fcntl(fd, F_GETFD) >= 0) std::printf("%d is open\n", fd);
  return 0;
}

int Environment(const char*) {
  for (char** entry = environ; *entry != nullptr; ++entry) std::puts(*entry);
  return 0;
}

int SayNothing(const char*) { return Say(true); }

int Crash(const char*) {
  ::raise(SIGSEGV);
  return 1;
}

int Exit(const char* code) { return std::atoi(code); }

int Folder(const char*) {
  char path[4096];
  std::puts(::getcwd(path, sizeof(path)));
  return 0;
}

struct Way {
  const char* name;
  int (*go)(const char* argument);
};

// clang-format off
constexpr Way kWays[] = {
    {"socket", Socket},      {"unix-socket", UnixSocket}, {"read", Read},
    {"list", List},          {"write", Write},            {"unlink", Unlink},
    {"chmod", Chmod},        {"fork", Fork},              {"raw-fork", RawFork},
    {"spawn", Spawn},        {"exec", Exec},              {"exec-itself", ExecItself},
    {"kill", Kill},          {"ptrace", Ptrace},          {"unshare", Unshare},
    {"raise-limit", RaiseLimit}, {"thread", Thread}, {"threads", Threads},      {"memory", Memory},
    {"fill", Fill},          {"spin", Spin},              {"spin-with-child", SpinWithChild}, {"fill-and-spin", FillAndSpin},
    {"chatter", Chatter},    {"descriptors", Descriptors}, {"environment", Environment},
    {"say", SayNothing},     {"crash", Crash},            {"exit", Exit},
    {"folder", Folder},
};
// clang-format on

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 64;
  for (const Way& way : kWays)
    if (std::string_view(argv[1]) == way.name) return way.go(argc > 2 ? argv[2] : nullptr);
  return 64;
}
