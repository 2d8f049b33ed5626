// ptxfarm-confine: puts protections around itself, then becomes the program that it was given.
//
//   ptxfarm-confine --folder=DIR [OPTION…] -- /PROGRAM [ARGUMENT…]
//   ptxfarm-confine --folder=DIR --probe
//
//   --mode=off|best-effort|required   what happens where a protection isn't to be had (required)
//   --read=PATH                       may be read; again for each
//   --group=FILE                      a control group's `tasks` or `cgroup.procs` to join
//   --memory-bytes= --file-bytes= --cpu-seconds= --threads=   bounds; none where left out
//   --report-fd=N                     takes "what: why" when the program can't be started
//   --parent=PID                      whose death is the program's too
//
// The program gets no environment, standard descriptors as the helper has them, and the exit code
// is its own; 126 says that the helper failed, and the report why. --probe prints
// "name<TAB>ok|why<TAB>what it stops" for each protection, as far as it can be put up here.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "worker/confine/protections.h"
#include "worker/confine/request.h"

namespace ptxfarm::confine {
namespace {

constexpr int kExitNotStarted = 126;

// Longer than any path and error text together.
constexpr std::size_t kLineBytes = 8192;

[[noreturn]] void NotStarted(const Request& request, const char* what, int why) {
  char line[kLineBytes];
  const int size = std::snprintf(line, sizeof(line), "%s: %s\n", what, std::strerror(why));
  if (size > 0) {
    const int fd = request.report_fd >= 0 ? request.report_fd : STDERR_FILENO;
    // Nobody is left to tell when this fails too.
    [[maybe_unused]] const ssize_t ignored = ::write(fd, line, static_cast<std::size_t>(size));
  }
  ::_exit(kExitNotStarted);
}

int Probe(const Request& request) {
  for (const Protection& protection : Protections()) {
    const int failed = protection.apply(request);
    char line[kLineBytes];
    const int size = std::snprintf(line, sizeof(line), "%s\t%s\t%s\n", protection.name,
                                   failed == 0 ? "ok" : std::strerror(failed), protection.stops);
    if (::write(STDOUT_FILENO, line, static_cast<std::size_t>(size)) != size) return 1;
  }
  return 0;
}

// The path, alone on a page whose address nobody knows: it is what the filter lets through, so a
// program that has been taken over can't call it again.
const char* HiddenCopy(const char* path) {
  const std::size_t size = std::strlen(path) + 1;
  u64 random = 0;
  if (::getrandom(&random, sizeof(random), 0) != sizeof(random)) return nullptr;
  // Within the 47 bits of user addresses, at a page, away from the low ones.
  const u64 hint = (random & 0x3ffffffff000) | 0x10000000000;
  void* const page = ::mmap(reinterpret_cast<void*>(hint), size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  return static_cast<const char*>(std::memcpy(page, path, size));
}

[[noreturn]] void Run(Request& request) {
  const char* const path = HiddenCopy(request.program[0]);
  if (path == nullptr) NotStarted(request, "hide the program's path", errno);
  char* const shown = request.program[0];
  request.program[0] = const_cast<char*>(path);
  for (const Protection& protection : Protections()) {
    if (request.mode == Mode::kOff && !protection.always) continue;
    const int failed = protection.apply(request);
    if (failed != 0 && (protection.always || request.mode == Mode::kRequired))
      NotStarted(request, protection.name, failed);
  }
  request.program[0] = shown;
  char* const environment[] = {nullptr};
  ::execve(path, request.program, environment);
  NotStarted(request, shown, errno);
}

}  // namespace
}  // namespace ptxfarm::confine

int main(int argc, char** argv) {
  ptxfarm::confine::Request request;
  if (!ptxfarm::confine::ReadRequest(argc, argv, request))
    ptxfarm::confine::NotStarted(request, "ptxfarm-confine's arguments", EINVAL);
  if (::chdir(request.folder) != 0) ptxfarm::confine::NotStarted(request, request.folder, errno);
  if (request.probe) return ptxfarm::confine::Probe(request);
  ptxfarm::confine::Run(request);
}
