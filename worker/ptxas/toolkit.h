// CUDA toolkits of this machine: where their ptxas is, and what it says it can.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "action/compiler.h"
#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::worker {

// What tells a file from the one that may replace it in place.
struct FileStamp {
  u64 device = 0, inode = 0, size_bytes = 0;
  i64 modified_ns = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
Result<FileStamp> StampOf(const std::string& path);

struct Toolkit {
  std::string ptxas;  // Real path.
  FileStamp stamp;    // Of that file when its identity was taken.
  action::Compiler compiler;
};

struct SkippedToolkit {
  std::string path;
  std::string why;
};

struct ToolkitSearch {
  // Toolkit roots, bin folders or ptxas programs that the user named. Where there are any, nothing
  // else is looked at; each that is no toolkit is reported as skipped.
  std::vector<std::string> named;
  // Values of environment variables: CUDA_HOME, CUDA_PATH and PATH are asked for.
  std::function<std::optional<std::string>(const std::string& name)> environment;
  std::vector<std::string> usual_parents = {"/usr/local", "/opt"};  // Of "cuda" and "cuda-*".
  std::string helper;                                               // ptxfarm-confine.
};

struct FoundToolkits {
  std::vector<Toolkit> toolkits;  // Newest first; one for each identity.
  std::vector<SkippedToolkit> skipped;
};

// Asks every ptxas it finds for its version, PTX versions and targets, and takes its identity:
// SHA-256 over its bytes. One that doesn't run, doesn't answer within seconds, or answers something
// else is skipped. A script that only executes another program is that program; any other script is
// skipped unless it was named.
FoundToolkits FindToolkits(const ToolkitSearch& search);

// The ptxas programs that FindToolkits would ask, with their stamps: equal as long as it would find
// the same. Only looks; takes microseconds.
std::map<std::string, FileStamp> ToolkitStamps(const ToolkitSearch& search);

}  // namespace ptxfarm::worker
