// nvcc as a process of its own.
#pragma once

#include <string>
#include <vector>

namespace ptxfarm::dropin {

struct NvccRan {
  int exit_code = 127;   // 128 + signal where one ended it.
  std::string out, err;  // What it said; it was also passed on as it came.
  int broken_off = 0;    // The signal that told us to end meanwhile, which nvcc was given too.
};

// `more_environment` holds entries "NAME=value" beside ours.
NvccRan RunNvcc(const std::string& nvcc, const std::vector<std::string>& words,
                const std::vector<std::string>& more_environment);

}  // namespace ptxfarm::dropin
