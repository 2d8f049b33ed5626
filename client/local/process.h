// Processes that live longer than who started them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"

namespace ptxfarm::local {

struct DaemonCommand {
  std::string program;                 // An absolute path.
  std::vector<std::string> arguments;  // Without the program's name.
  std::string log;                     // Its standard output and error are appended here.
};

// The descriptor on which a daemon writes one line when it is ready.
inline constexpr int kReadyDescriptor = 3;

// Starts it in a session of its own, in the folder "/", with the default signals, no descriptor of
// ours but the pipe for readiness, and waits for its line. The line is the caller's to read.
//
// UNAVAILABLE: it ended, or said nothing within `timeout` (then it is killed); the message has the
// end of what it logged.
Result<std::string> StartDaemon(const DaemonCommand& command, std::chrono::milliseconds timeout);

// Asks a process to end (SIGTERM), waits, and kills it after `patience`; returns when it is gone.
// No error where it was gone already. Only for processes that HolderOf named a moment ago.
Status EndProcess(pid_t process, std::chrono::milliseconds patience);

}  // namespace ptxfarm::local
