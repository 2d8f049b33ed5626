// The real tool that the drop-in stands for: found as it would be without us, known by its bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "client/dropin/tier/local_tier.h"
#include "client/dropin/tool/file_stamp.h"

namespace ptxfarm::dropin {

struct Tool {
  std::string path;
  FileStamp stamp;
  Sha256 sha256{};  // Over its bytes.
  // Not so a script: its bytes don't say what compiles, so nothing is kept of it.
  bool is_program = false;
};

// Looks for the tool `name` ("ptxas") in turn at $PTXFARM_PTXAS ("none": there is no tool),
// "ptxas.real" beside the name we were called by, the folders of PATH, $CUDA_HOME/bin,
// $CUDA_PATH/bin, /usr/local/cuda/bin. Passes over drop-ins (ourselves under any name, another
// copy) and over what was tried before us (below).
//
// `tier` remembers digests by stamp, so that a large tool is read once.
std::optional<Tool> FindTool(std::string_view name, const char* called_as, const LocalTier* tier);

// The tool of this path; nothing where there is none, or a drop-in. A script that only executes a
// tool of another path (base/wrapper_script.h) is that tool.
std::optional<Tool> ToolAt(const std::string& path, const LocalTier* tier);

// A wrapper that calls us again would have us call it for ever: who is run by us finds in its
// environment what was tried on the way, and a drop-in below passes over that.
inline constexpr const char* kTriedVariable = "PTXFARM_PTXAS_TRIED";
void NoteTried(const Tool& tool);

// Becomes the tool, with these words behind its name. Returns only where that fails: errno.
int ExecTool(const Tool& tool, char** argv);

}  // namespace ptxfarm::dropin
