#include "toolchain/ptx/isa/target_set.h"

#include <algorithm>

namespace ptxfarm::ptx::isa {
namespace {

u16 NumberOfToday(const Target& target) {
  return target.status() == TargetStatus::kRenamed ? target.desc().renamed_to : target.number();
}

// The family of a number, by the table of targets.
TargetFamily FamilyOf(u16 number) {
  for (const Target& target : AllTargets())
    if (target.number() == number) return target.family();
  return TargetFamily::kNone;
}

bool Has(const TargetTerm& term, const Target& target) {
  if (term.number == 0) return true;
  if (term.suffix == TargetSuffix::kNone) return target.number() >= term.number;
  const u16 number = NumberOfToday(target);
  if (term.suffix == TargetSuffix::kArchitecture)
    return number == term.number && target.suffix() == TargetSuffix::kArchitecture;
  return target.suffix() != TargetSuffix::kNone && number >= term.number &&
         target.family() == FamilyOf(term.number);
}

}  // namespace

TargetSet::TargetSet(std::string_view text) {
  if (text == "all") return;
  static_assert(sizeof(bits_) * 8 >= 64);
  PTXFARM_CHECK(AllTargets().size() <= 64, "a set of targets is 64 bits");
  bits_ = 0;
  ForEachPart(text, '|', [&](std::string_view part) {
    const TargetTerm term = ReadTargetTerm(part);
    for (std::size_t i = 0; i < AllTargets().size(); ++i)
      if (isa::Has(term, AllTargets()[i])) bits_ |= u64{1} << i;
  });
}

bool TargetSet::Has(const Target& target) const {
  const std::span<const Target> all = AllTargets();
  const auto found = std::lower_bound(all.begin(), all.end(), target);
  return (bits_ >> (found - all.begin()) & 1) != 0;
}

std::string TargetSet::Describe(std::string_view text) {
  std::string said;
  ForEachPart(text, '|', [&](std::string_view part) {
    if (!said.empty()) said += ", or ";
    const TargetTerm term = ReadTargetTerm(part);
    if (term.number == 0)
      said += "any target";
    else if (term.suffix == TargetSuffix::kFamily)
      said += fmt::format("sm_{0}f, sm_{0}a or later ones of their family", term.number);
    else if (term.suffix == TargetSuffix::kArchitecture)
      said += fmt::format("sm_{}a", term.number);
    else
      said += fmt::format("sm_{} or later", term.number);
  });
  return said;
}

}  // namespace ptxfarm::ptx::isa
