// An nvcc that remembers: a call whose files are as they were gets its outputs back without a step
// of nvcc; another one runs nvcc with our programs between its steps.
#pragma once

#include <string>
#include <vector>

namespace ptxfarm::dropin {

// `nvcc` names the compiler, as in FindNvccToolkit. Returns the exit code, or becomes nvcc.
int LaunchNvcc(const std::string& nvcc, const std::vector<std::string>& words);

}  // namespace ptxfarm::dropin
