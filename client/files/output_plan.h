// Which files `ptxfarm compile` will write: decided, and checked for clashes, before anything runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::client {

// By the option's words and the files' extensions.
enum class OutputKind : u8 { kCubin, kFatbin, kPtx };
std::string_view NameOf(OutputKind kind);  // "cubin"

struct PlannedTarget {
  std::string name;         // "sm_90a", "compute_75"
  bool is_virtual = false;  // compute_*: PTX in the fat binary, no cubin.
};

struct OutputRequest {
  std::vector<std::string> inputs;              // Paths; "-" is the standard input, once at most.
  std::vector<PlannedTarget> targets;           // Without duplicates.
  std::optional<std::vector<OutputKind>> emit;  // Nothing: what fits the targets and `output`.
  std::string output;  // -o: a folder, a file, "-" for standard output; empty: this folder.
};

struct PlannedFile {
  OutputKind kind = OutputKind::kCubin;
  std::string target;  // Empty for a fat binary.
  std::string path;    // "-" is the standard output.
};

struct PlannedModule {
  std::string input;
  std::string
      name;  // "saxpy" of "kernels/saxpy.ptx"; names the outputs, and the module in reports.
  std::vector<PlannedFile> files;
};

struct OutputPlan {
  std::string folder;  // To be made before the files are written; empty where none is needed.
  std::vector<PlannedModule> modules;

  bool Writes(OutputKind kind) const;
  bool ToStandardOutput() const;
};

// INVALID_ARGUMENT: nothing would come out, several outputs for one file, two inputs of one name,
// an output that is also an input. The messages say what to change. Only looks at the disk, changes
// nothing.
//
// -o names a file where it is one already, or where there is one output and the name has an
// extension; a trailing slash always makes it a folder.
Result<OutputPlan> PlanOutputs(const OutputRequest& request);

// "saxpy" of "kernels/saxpy.ptx", "stdin" of "-".
std::string ModuleNameOf(const std::string& input);

}  // namespace ptxfarm::client
