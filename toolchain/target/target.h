// Target: what a module is written for and what it is compiled for: sm_90, sm_90a, sm_100f.
//
// A row of targets.cc is a name with what is known of it. Targets are a partial order, not a line:
// reach.h says which module may go to which GPU.
#pragma once

#include <compare>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/int.h"
#include "base/result.h"
#include "toolchain/target/ptx_version.h"

namespace ptxfarm {

enum class TargetKind : u8 {
  kReal,      // sm_90: machine code.
  kVirtual,   // compute_90: the PTX text itself, for the driver's compiler.
  kLinkTime,  // lto_90: the link-time form; nothing makes it from PTX.
};

// PTX ISA 9.4 §11.1.2: features of every later GPU, of the later ones of its family, of this one.
enum class TargetSuffix : u8 { kNone, kFamily, kArchitecture };

enum class TargetFamily : u8 { kNone, k10x, k11x, k12x };

// Whether something compiles for it today.
enum class TargetStatus : u8 {
  kCurrent,     // sm_75 and later.
  kRemoved,     // The toolkits dropped it; modules that name it still compile for later GPUs.
  kRenamed,     // sm_101 is sm_110 since PTX 9.0.
  kModuleOnly,  // A GPU that was never sold: ptxas takes the name in .target only.
};

struct TargetDesc {
  u16 number;
  TargetSuffix suffix;
  TargetFamily family;
  PtxVersion ptx_version_min;  // Below it no .target may name this one.
  TargetStatus status;
  u16 toolkit_last;  // kRemoved: the last major release of the CUDA toolkit that compiled for it.
  u16 renamed_to;    // kRenamed: the number of today.
  bool is_embedded = false;  // In a chip with a CPU: no cubin of another GPU runs there.
};

// A row of the table in one of the three kinds. Cheap to copy; ordered by number, suffix, kind.
class Target {
 public:
  TargetKind kind() const { return kind_; }
  u16 number() const { return desc().number; }
  TargetSuffix suffix() const { return desc().suffix; }
  TargetFamily family() const { return desc().family; }
  TargetStatus status() const { return desc().status; }
  PtxVersion ptx_version_min() const { return desc().ptx_version_min; }
  const TargetDesc& desc() const;

  // "sm_90a", "compute_90".
  std::string ToString() const;
  // The same architecture as another kind: sm_90 → compute_90.
  Target As(TargetKind kind) const { return Target(row_, kind); }

  friend auto operator<=>(const Target&, const Target&) = default;

 private:
  friend std::span<const Target> AllTargets();
  Target(u8 row, TargetKind kind) : row_(row), kind_(kind) {}

  u8 row_;  // In the table of targets.cc, which is sorted.
  TargetKind kind_;
};

// Every row as a real target, in ascending order.
std::span<const Target> AllTargets();

// A name to compile for, exactly as the toolkit spells it. Errors tell apart, with what to do:
// * INVALID_ARGUMENT     malformed ("sm80"), empty, or a suffix that doesn't exist ("sm_80a")
// * NOT_FOUND            well formed but unknown ("sm_130")
// * FAILED_PRECONDITION  known but not of today: removed ("sm_70") or renamed ("sm_101")
// A virtual target is never removed: its text needs no compiler here.
Result<Target> ParseTarget(std::string_view name);

// A name that a module's .target directive may hold: every row, removed and renamed ones too, and
// the spellings that ptxas reads as one (compute_90 for sm_90). The answer is always real. The same
// errors, but for FAILED_PRECONDITION.
Result<Target> ParseModuleTarget(std::string_view name);

struct TargetList {
  std::vector<Target> targets;   // Each once, in the order of their first mention; at least one.
  std::vector<Target> repeated;  // Each mention after the first, for a note to the user.
};

// "sm_80,sm_90a compute_90": names between commas and blanks. A comma without a name on both sides
// and an empty list are INVALID_ARGUMENT; a bad name is the error of ParseTarget.
Result<TargetList> ParseTargetList(std::string_view list);

}  // namespace ptxfarm

template <>
struct fmt::formatter<ptxfarm::Target> : fmt::formatter<std::string> {
  template <typename FormatContext>
  auto format(const ptxfarm::Target& target, FormatContext& context) const {
    return fmt::formatter<std::string>::format(target.ToString(), context);
  }
};
