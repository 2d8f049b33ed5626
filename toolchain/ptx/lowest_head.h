// The lowest .version and .target under which a module's contents mean what they mean now.
#pragma once

#include <optional>
#include <string>

#include "toolchain/ptx/header.h"
#include "toolchain/ptx/needs.h"

namespace ptxfarm::ptx {

// What keeps a version or a target from being lower.
struct Reason {
  std::string what;           // "'cp.async'"; "sm_80 itself"; empty where nothing does.
  std::optional<u32> offset;  // In the text, where it is a construct of it.
};

struct LowestHead {
  PtxVersion version;
  Reason version_reason;
  Target target;
  Reason target_reason;
};

// Of the targets that have all of the contents: the plain one that reaches furthest down, where
// there is one, else one of a family, else a specific one. Not beyond a target below which the same
// text is compiled to something else. Nothing where no target has them all.
std::optional<LowestHead> FindLowestHead(const ModuleHead& head, const Needs& needs);

// The head under which these contents can be compiled for `gpu`, a plain target, chosen in the same
// way; nothing where none can.
std::optional<LowestHead> FindHeadFor(const ModuleHead& head, const Needs& needs,
                                      const Target& gpu);

// The lowest version under which the module can be compiled with its own .target.
PtxVersion LowestVersion(const ModuleHead& head, const Needs& needs);

// The text with another version at `version_offset`, where its head has one. Nothing else moves by
// more than the number's length.
std::string WithVersion(std::string_view text, u32 version_offset, PtxVersion version);

}  // namespace ptxfarm::ptx
