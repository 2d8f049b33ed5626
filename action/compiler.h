// Compilers as the farm knows them: who compiles, and what it can do.
#pragma once

#include <string>
#include <vector>

#include "base/digest.h"
#include "base/int.h"
#include "toolchain/target/ptx_version.h"

namespace ptxfarm::action {

// Part of every key: results of two compilers never mix. Never a date, path or host.
struct CompilerIdentity {
  std::string backend;  // "ptxas"; "ptxfarm" for what our own code makes.
  std::string version;  // "13.0.88"
  Sha256 sha256{};      // Over the bytes that compile.

  friend auto operator<=>(const CompilerIdentity&, const CompilerIdentity&) = default;
};

// "ptxas 13.0.88"
std::string NameOf(const CompilerIdentity& identity);

struct Compiler {
  CompilerIdentity identity;
  PtxVersion ptx_version_max;
  std::vector<std::string> targets;  // "sm_75", "sm_90a", …; sorted.

  bool HasTarget(const std::string& target) const;

  friend bool operator==(const Compiler&, const Compiler&) = default;
};

// Orders "12.9.86" before "13.0.88": by numbers, not letters.
bool VersionLess(std::string_view a, std::string_view b);

}  // namespace ptxfarm::action
