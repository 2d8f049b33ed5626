// `ptxfarm fatbin`: lists, takes apart and makes fat binaries, without a farm.
#pragma once

#include <string>
#include <vector>

#include "client/session.h"
#include "config/program.h"
#include "toolchain/object/fatbin/compression.h"

namespace ptxfarm::client {

struct FatbinOptions {
  std::vector<std::string> files;    // Of list and extract.
  std::vector<std::string> members;  // Of create: "FILE" or "TARGET=FILE".
  std::string output;
  std::vector<std::string> targets;  // Of extract; empty: all.
  object::fatbin::CompressMode compression = object::fatbin::CompressMode::kDefault;
  bool compress_all = false;
  bool relocatable = false;
  std::string identifier;
};

// The row; both structs must outlive it.
config::Command FatbinCommand(const CliOptions& cli, FatbinOptions& options);

}  // namespace ptxfarm::client
