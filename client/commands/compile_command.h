// `ptxfarm compile`: reads modules, has them compiled, writes what came out.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "client/session.h"
#include "config/program.h"

namespace ptxfarm::client {

enum class ReportForm : u8 { kAuto, kTable, kLines };

struct CompileOptions {
  std::vector<std::string> files;
  std::vector<std::string> targets;
  std::string output;
  std::vector<std::string> emit;
  std::vector<std::string> ptxas_options;         // Of -X.
  std::vector<std::string> ptxas_options_behind;  // What stands behind "--".
  FatbinCompression fatbin_compression = FatbinCompression::kDefault;
  std::string fatbin_identifier;
  KeyTier key_tier = KeyTier::kDefault;
  std::string compiler;
  u32 priority = 0;
  bool recompile = false;
  bool unverified = false;
  bool bridge = false;
  std::chrono::milliseconds deadline{0};
  std::chrono::milliseconds time_limit{0};
  u64 memory_limit = 0;
  u64 output_limit = 0;
  u32 jobs = 16;
  ReportForm report = ReportForm::kAuto;
  u32 kernels_max = 12;
  bool log = false;
  std::string sarif;
};

// The row; both structs must outlive it.
config::Command CompileCommand(const CliOptions& cli, CompileOptions& options);

}  // namespace ptxfarm::client
