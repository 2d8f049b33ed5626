// How strictly compilers are confined, and what this machine gives for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::worker {

enum class Confinement : u8 {
  kOff,         // Bounds and life time only.
  kBestEffort,  // What the machine gives.
  kRequired,    // Nothing runs where a protection is missing.
};
std::string_view NameOf(Confinement confinement);  // "best-effort"

struct ProtectionStatus {
  std::string name;
  bool available = false;
  std::string why;    // Where it isn't.
  std::string stops;  // What it is good for.
};

// Asks the helper to put up each protection around itself.
Result<std::vector<ProtectionStatus>> ProbeConfinement(const std::string& helper);

// ptxfarm-confine beside the program that is running; NOT_FOUND where there is none.
Result<std::string> FindConfineHelper();

// Where the shared libraries of programs and the loader's files lie.
std::vector<std::string> SystemReadPaths();

}  // namespace ptxfarm::worker
