// A program with every kind of option, for the tests of config/.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "config/environment.h"
#include "config/program.h"

namespace ptxfarm::config {

enum class Color { kAuto, kAlways, kNever };

struct SampleOptions {
  std::string server = "unix:/run/farm.sock";
  bool verify = true;
  bool quiet = false;
  u32 jobs = 4;
  double share = 0.5;
  u64 store_bytes_max = 64 * kMiB;
  std::chrono::milliseconds lease{10'000};
  std::chrono::seconds idle{60};
  Color color = Color::kAuto;
  std::vector<std::string> targets{"sm_90"};
  std::vector<std::string> emit{"cubin"};
  std::string output;
  std::string scratch;
  std::vector<std::string> inputs;
  std::string fatbin;
  std::string member;
  int compiled = 0;
  int listed = 0;
};

// "sample" with "compile FILE..." and "fatbin list FILE [MEMBER]".
Program SampleProgram(SampleOptions& options);

// An environment that holds these variables and nothing else.
Environment EnvironmentOf(std::map<std::string, std::string> variables);

}  // namespace ptxfarm::config
