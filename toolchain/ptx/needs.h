// What a module's contents ask of its .version and .target, and what asks it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "toolchain/target/target.h"

namespace ptxfarm::ptx {

// A construct that asks for something no other before it asked for.
struct Need {
  u32 offset = 0;  // Of the construct in the text.
  u32 length = 0;
  std::string what;  // "'.maxntid'", "'cp.async.bulk'".
};

struct VersionNeed : Need {
  PtxVersion version;
};

struct TargetNeed : Need {
  u64 targets = 0;  // The rows of AllTargets() that have it, as bits.
};

// A module's contents, without what its own head says.
class Needs {
 public:
  // The lowest version that has all of the contents; what forces it.
  const VersionNeed& version() const { return version_; }
  // The targets that have all of the contents, in ascending order.
  std::vector<Target> Targets() const;
  // What narrows them, in the order of the text. Each excludes a target that those before allow.
  const std::vector<TargetNeed>& target_needs() const { return target_needs_; }

  void AskVersion(PtxVersion version, u32 offset, u32 length, std::string_view what);
  void AskTargets(u64 targets, u32 offset, u32 length, std::string_view what);

 private:
  VersionNeed version_{{}, {1, 0}};
  u64 targets_ = ~u64{0};
  std::vector<TargetNeed> target_needs_;
};

// The targets with this number or a later one, as Needs has them; 0: all.
u64 TargetsFrom(u16 number);

}  // namespace ptxfarm::ptx
