// What the exec helper is asked to do, read from its command line.
//
// The helper runs between posix_spawn and the compiler, a hundred times a second: it links
// statically, allocates nothing and knows nothing of the rest of the house.
#pragma once

#include <array>
#include <span>

#include "base/int.h"

namespace ptxfarm::confine {

enum class Mode : u8 {
  kOff,         // Limits, descriptors and life time only: for programs that are trusted.
  kBestEffort,  // Every protection that this machine gives.
  kRequired,    // Nothing runs unless all of them hold.
};

inline constexpr std::size_t kPathsMax = 64;

// Zero means: leave the bound as it is.
struct Request {
  Mode mode = Mode::kRequired;
  bool probe = false;            // Try the protections, print a row each, run nothing.
  const char* folder = nullptr;  // Working folder, and the only place where files may be written.
  std::array<const char*, kPathsMax> read_storage{};
  std::span<const char* const> read_paths;  // Files and folders that may be read.
  std::array<const char*, kPathsMax> group_storage{};
  std::span<const char* const> group_files;  // `tasks` or `cgroup.procs` of groups to join.
  u64 memory_bytes = 0;
  u64 file_bytes = 0;
  u64 cpu_seconds = 0;
  u64 threads = 0;
  int report_fd = -1;  // Takes one line when the program can't be started; closed when it can.
  int parent = 0;      // The helper ends with this process; 0: whoever its parent is.
  char** program = nullptr;  // argv of what is run; the path is absolute.
};

// False where the words aren't those of confine_main.cc's usage. Keeps pointers into `argv`.
bool ReadRequest(int argc, char** argv, Request& request);

}  // namespace ptxfarm::confine
