#include "toolchain/ptx/needs.h"

namespace ptxfarm::ptx {

std::vector<Target> Needs::Targets() const {
  std::vector<Target> targets;
  const std::span<const Target> all = AllTargets();
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((targets_ >> i & 1) != 0) targets.push_back(all[i]);
  return targets;
}

void Needs::AskVersion(PtxVersion version, u32 offset, u32 length, std::string_view what) {
  if (version <= version_.version) return;
  version_ = {{offset, length, std::string(what)}, version};
}

void Needs::AskTargets(u64 targets, u32 offset, u32 length, std::string_view what) {
  if ((targets_ & ~targets) == 0) return;
  targets_ &= targets;
  target_needs_.push_back({{offset, length, std::string(what)}, targets});
}

u64 TargetsFrom(u16 number) {
  u64 targets = ~u64{0};
  const std::span<const Target> all = AllTargets();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].number() < number) targets &= ~(u64{1} << i);
  return targets;
}

}  // namespace ptxfarm::ptx
