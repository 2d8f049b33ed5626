// Runs a program confined, with bounds on all that it can take, and says how it ended.
//
// The worker is never forked: a small helper (confine/) is spawned, confines itself and becomes the
// program. The process leads a session and group of its own, so whatever it leaves behind ends with
// it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/int.h"
#include "base/result.h"
#include "worker/confinement.h"

namespace ptxfarm::worker {

class Cancellation;
class ControlGroup;

// Zero means unbounded.
struct ProcessLimits {
  std::chrono::milliseconds wall_time{0};
  u64 memory_bytes = 0;
  u64 file_bytes = 0;              // Of each file it writes.
  u64 log_bytes_max = 1 << 20;     // Kept of what it says; the rest is read and dropped,
  u64 log_bytes_limit = 64 << 20;  // and beyond this it is stopped.
  u64 threads = 0;
};

struct Command {
  std::vector<std::string> arguments;  // The first is the program, an absolute path.
  std::string folder;                  // Its working folder, and the only one it may write in.
  Confinement confinement = Confinement::kRequired;
  std::vector<std::string> read_paths;  // What it may read besides; SystemReadPaths() and more.
  ProcessLimits limits;
  ControlGroup* group = nullptr;  // What it is put into; not owned; for one process at a time.
};

enum class Ending : u8 {
  kExited,
  kSignalled,
  kTimedOut,
  kCancelled,
  kOverMemory,  // Killed by its group for memory. A program that met its own limit ends otherwise.
  kOverOutput,  // Wrote a file, or said, more than it may.
};

struct ProcessResult {
  Ending ending = Ending::kExited;
  int exit_code = 0;   // For kExited.
  int signal = 0;      // For kSignalled.
  std::string output;  // Standard output and error as they came, the first log_bytes_max bytes.
  bool output_cut = false;
  std::chrono::microseconds wall_time{0};
  std::chrono::microseconds cpu_time{0};
  u64 memory_bytes_max = 0;  // 0 where it isn't known.
};

// Blocks until the process is gone and its group was killed; one thread a running process. `helper`
// is the path of ptxfarm-confine. Leaves no child, descriptor or core file behind.
//
// NOT_FOUND, PERMISSION_DENIED: the helper or the program can't be executed. FAILED_PRECONDITION: a
// protection that is required is missing; the message names it. RESOURCE_EXHAUSTED: no processes or
// descriptors left.
Result<ProcessResult> RunProcess(const std::string& helper, const Command& command,
                                 const Cancellation& cancellation);

}  // namespace ptxfarm::worker
