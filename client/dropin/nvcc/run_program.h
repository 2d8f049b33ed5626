// nvcc, or a step of it, as a process of its own.
#pragma once

#include <string>
#include <vector>

namespace ptxfarm::dropin {

struct ProgramRan {
  int exit_code = 127;   // 128 + signal where one ended it.
  std::string out, err;  // What it said; it was also passed on as it came.
  int broken_off = 0;    // The signal that told us to end meanwhile, which it was given too.
};

// `more_environment` holds entries "NAME=value" beside ours.
ProgramRan RunProgram(const std::string& program, const std::vector<std::string>& words,
                      const std::vector<std::string>& more_environment);

// As if the signal hadn't been held up: make and ninja see what ended us.
void EndBy(int signal);

}  // namespace ptxfarm::dropin
