#include "toolchain/ptx/lowest_head.h"

#include <algorithm>
#include <vector>

#include "toolchain/target/reach.h"

namespace ptxfarm::ptx {
namespace {

struct MeaningBound {
  u16 number;
  std::string_view why;
};

// Where the same text becomes something else once .target names a lower number.
constexpr MeaningBound kMeaningBounds[] = {
    // The object keeps the number of .target in its notes for the driver.
    {70, "below sm_70 the threads of a warp may run in lockstep"},
    // PTX ISA 9.4 §9.7.3.
    {20, "below sm_20 f32 flushes subnormal numbers and divides less exactly"},
};

bool Has(const TargetNeed& need, const Target& target) {
  const std::span<const Target> all = AllTargets();
  const auto row = std::find(all.begin(), all.end(), target) - all.begin();
  return (need.targets >> row & 1) != 0;
}

Reason ReasonOf(const Need& need) { return {need.what, need.offset}; }

// Why no target of the same suffix below `target` has the contents: the first need that excludes
// all of those, or the last one that excludes any.
Reason WhyTarget(const Needs& needs, const Target& target) {
  const std::span<const Target> all = AllTargets();
  Reason reason;
  std::size_t excluded_most = 0;
  for (const TargetNeed& need : needs.target_needs()) {
    std::size_t excluded = 0;
    for (const Target& lower : all)
      if (lower < target && !Has(need, lower)) ++excluded;
    if (excluded <= excluded_most) continue;
    excluded_most = excluded;
    reason = ReasonOf(need);
  }
  return reason;
}

LowestHead WithLowestVersion(const Needs& needs, const Target& target, Reason why_target) {
  LowestHead lowest{needs.version().version, ReasonOf(needs.version()), target,
                    std::move(why_target)};
  if (lowest.version_reason.what.empty()) lowest.version_reason.offset.reset();
  if (target.ptx_version_min() > lowest.version) {
    lowest.version = target.ptx_version_min();
    lowest.version_reason = {fmt::format("'.target {}'", target), {}};
  }
  return lowest;
}

// Ascending targets in the order in which they reach GPUs: plain ones, those of families, specific
// ones.
std::vector<Target> ByReach(std::vector<Target> targets) {
  std::stable_sort(targets.begin(), targets.end(),
                   [](const Target& a, const Target& b) { return a.suffix() < b.suffix(); });
  return targets;
}

}  // namespace

std::optional<LowestHead> FindLowestHead(const ModuleHead& head, const Needs& needs) {
  std::vector<Target> targets = ByReach(needs.Targets());
  if (targets.empty()) return std::nullopt;
  for (const MeaningBound& bound : kMeaningBounds) {
    if (head.target.number() < bound.number || targets.front().number() >= bound.number) continue;
    const auto lowest =
        std::find_if(targets.begin(), targets.end(),
                     [&bound](const Target& target) { return target.number() >= bound.number; });
    if (lowest == targets.end()) return std::nullopt;
    return WithLowestVersion(needs, *lowest, {std::string(bound.why), {}});
  }
  return WithLowestVersion(needs, targets.front(), WhyTarget(needs, targets.front()));
}

std::optional<LowestHead> FindHeadFor(const ModuleHead& head, const Needs& needs,
                                      const Target& gpu) {
  const std::span<const Target> all = AllTargets();
  for (const Target& target : ByReach(needs.Targets())) {
    const bool changes_meaning = std::any_of(
        std::begin(kMeaningBounds), std::end(kMeaningBounds), [&](const MeaningBound& bound) {
          return (head.target.number() < bound.number) != (target.number() < bound.number);
        });
    if (changes_meaning) continue;
    // What a target with a suffix is compiled for has one itself.
    for (const Target& made_for : all)
      if (made_for.number() == gpu.number() && made_for.suffix() == target.suffix() &&
          CanCompile(target, made_for))
        return WithLowestVersion(needs, target, WhyTarget(needs, target));
  }
  return std::nullopt;
}

PtxVersion LowestVersion(const ModuleHead& head, const Needs& needs) {
  return std::max(needs.version().version, head.target.ptx_version_min());
}

std::string WithVersion(std::string_view text, u32 version_offset, PtxVersion version) {
  const std::size_t end = text.find_first_not_of("0123456789.", version_offset);
  std::string changed(text.substr(0, version_offset));
  changed += version.ToString();
  if (end != std::string_view::npos) changed += text.substr(end);
  return changed;
}

}  // namespace ptxfarm::ptx
