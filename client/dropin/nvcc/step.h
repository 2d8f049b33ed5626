// Our place between the steps of an nvcc that runs in a shadow folder: it is called as cicc or
// cudafe++, notes which files the preprocessed text came from, and becomes the toolkit's own, or
// serves what cicc made before (cicc.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxfarm::dropin {

// In the environment of the nvcc that is run: a file that each step appends names to, a line each;
// and the toolkit's bin folder.
inline constexpr const char* kSeenVariable = "PTXFARM_NVCC_SEEN";
inline constexpr const char* kToolkitVariable = "PTXFARM_NVCC_BIN";

bool IsStep(std::string_view called_as);

// Returns only where the real one can't be run: the exit code.
int RunStep(int argc, char** argv);

struct SeenNames {
  std::vector<std::string> names;  // Each once.
  bool device = false;             // A text for the device was seen,
  bool host = false;               // and one for the host.
};

// What the steps have noted; nothing where one couldn't.
std::optional<SeenNames> ReadSeenNames(const std::string& file);

}  // namespace ptxfarm::dropin
