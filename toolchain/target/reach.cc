#include "toolchain/target/reach.h"

#include <algorithm>

namespace ptxfarm {
namespace {

// sm_101a and sm_101f compile as sm_110a and sm_110f; the plain sm_101 keeps its place between
// sm_100 and sm_103 (measured on ptxas 13.0).
u16 NumberOfToday(const Target& target) {
  if (target.status() == TargetStatus::kRenamed && target.suffix() != TargetSuffix::kNone)
    return target.desc().renamed_to;
  return target.number();
}

bool ReachesGpu(const Target& module, const Target& gpu) {
  switch (module.suffix()) {
    case TargetSuffix::kNone: return NumberOfToday(gpu) >= module.number();
    case TargetSuffix::kFamily:
      return gpu.family() == module.family() && NumberOfToday(gpu) >= NumberOfToday(module);
    case TargetSuffix::kArchitecture:
      return gpu.suffix() == TargetSuffix::kArchitecture &&
             NumberOfToday(gpu) == NumberOfToday(module);
  }
  return false;
}

// A label promises that the text runs wherever a module of that target would: the module must
// reach at least as far.
bool ReachesLabel(const Target& module, const Target& label) {
  if (!ReachesGpu(module, label)) return false;
  switch (label.suffix()) {
    case TargetSuffix::kNone: return module.suffix() == TargetSuffix::kNone;
    case TargetSuffix::kFamily: return module.suffix() != TargetSuffix::kArchitecture;
    case TargetSuffix::kArchitecture: return true;
  }
  return false;
}

const char* NameOf(TargetFamily family) {
  switch (family) {
    case TargetFamily::kNone: return "";
    case TargetFamily::k10x: return "sm_10x";
    case TargetFamily::k11x: return "sm_11x";
    case TargetFamily::k12x: return "sm_12x";
  }
  return "";
}

// "sm_100, sm_103, sm_107": the plain targets of today that the module reaches.
std::string PlainReach(const Target& module) {
  std::string names;
  for (const Target& target : AllTargets()) {
    if (target.status() != TargetStatus::kCurrent || target.suffix() != TargetSuffix::kNone ||
        !ReachesGpu(module, target))
      continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", target);
  }
  return names;
}

// "sm_110" of sm_110f, "compute_90" of compute_90.
std::string PlainName(const Target& target) {
  std::string name = target.ToString();
  if (target.suffix() != TargetSuffix::kNone) name.pop_back();
  return name;
}

std::string WhyNotReal(const Target& module, const Target& gpu) {
  const std::string says = fmt::format("the module says .target {}", module);
  switch (module.suffix()) {
    case TargetSuffix::kNone: return fmt::format("{}: it needs that GPU or a later one", says);
    case TargetSuffix::kArchitecture:
      if (gpu.number() == NumberOfToday(module))
        return fmt::format("{}, so ask for {}a instead of {}", says, PlainName(gpu), gpu);
      return fmt::format("{}, which compiles for {} only", says, module);
    case TargetSuffix::kFamily: break;
  }
  const std::string reach = fmt::format(
      "{}, which compiles for the {} family only, from sm_{} on ({} and their a and f "
      "forms)",
      says, NameOf(module.family()), NumberOfToday(module), PlainReach(module));
  if (gpu.family() == module.family()) return reach;
  if (gpu.family() == TargetFamily::kNone) return reach + fmt::format("; {} is older", gpu);
  return reach + fmt::format("; {} is of the {} family", gpu, NameOf(gpu.family()));
}

}  // namespace

bool CanCompile(const Target& module, const Target& gpu) {
  switch (gpu.kind()) {
    case TargetKind::kReal: return ReachesGpu(module, gpu);
    case TargetKind::kVirtual: return ReachesLabel(module, gpu);
    case TargetKind::kLinkTime: return false;
  }
  return false;
}

std::string WhyNot(const Target& module, const Target& gpu) {
  if (CanCompile(module, gpu)) return "";
  if (gpu.kind() == TargetKind::kLinkTime)
    return fmt::format("{} asks for the link-time form, which can't be made from PTX; ask for {}",
                       gpu, gpu.As(TargetKind::kReal));
  if (gpu.kind() == TargetKind::kVirtual && ReachesGpu(module, gpu))
    return fmt::format(
        "the module says .target {}, which does not run wherever {} promises; ask for {}", module,
        gpu, module.As(TargetKind::kVirtual));
  return WhyNotReal(module, gpu);
}

bool CubinRunsOn(const Target& cubin, const Target& gpu) {
  if (cubin.kind() != TargetKind::kReal) return false;
  if (cubin.number() == gpu.number()) return true;
  if (cubin.number() > gpu.number()) return false;
  switch (cubin.suffix()) {
    case TargetSuffix::kNone:
      return cubin.number() / 10 == gpu.number() / 10 && !cubin.desc().is_embedded &&
             !gpu.desc().is_embedded;
    case TargetSuffix::kFamily: return cubin.family() == gpu.family();
    case TargetSuffix::kArchitecture: return false;
  }
  return false;
}

u64 ParameterBytesMax(PtxVersion version, const Target& module) {
  if (version >= PtxVersion{8, 1} && module.number() >= 70) return 32764;
  if (version >= PtxVersion{1, 5}) return 4352;
  return 256;
}

}  // namespace ptxfarm
