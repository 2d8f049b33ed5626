// Which targets have a feature, as the column "targets" of the instruction table says it.
//
//   all       every target
//   sm_80+    this number and every later one, with or without suffix
//   sm_90a    this one
//   sm_100f+  the targets f and a of its family, from this number on
//   |         any of them
//
// A renamed target counts as what it is called today: sm_101a has what sm_110a has.
#pragma once

#include <string>
#include <string_view>

#include "base/int.h"
#include "toolchain/ptx/isa/notation.h"
#include "toolchain/target/target.h"

namespace ptxfarm::ptx::isa {

// One part between the '|'.
struct TargetTerm {
  u16 number = 0;  // 0: all.
  TargetSuffix suffix = TargetSuffix::kNone;
  bool and_later = false;
};

constexpr TargetTerm ReadTargetTerm(std::string_view text) {
  TargetTerm term;
  if (text == "all") return term;
  if (!text.starts_with("sm_")) {
    MalformedRow(text, "no target");
    return term;
  }
  text.remove_prefix(3);
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    term.number = static_cast<u16>(term.number * 10 + (text[0] - '0'));
    text.remove_prefix(1);
  }
  if (text.starts_with("a")) term.suffix = TargetSuffix::kArchitecture;
  if (text.starts_with("f")) term.suffix = TargetSuffix::kFamily;
  if (term.suffix != TargetSuffix::kNone) text.remove_prefix(1);
  term.and_later = text == "+";
  // A plain number alone would bar every later GPU; no feature of PTX does.
  if (term.number == 0 || (!text.empty() && !term.and_later) ||
      (term.suffix != TargetSuffix::kArchitecture) != term.and_later)
    MalformedRow(text, "no target");
  return term;
}

// The targets of AllTargets() as bits, in their order.
class TargetSet {
 public:
  TargetSet() = default;  // All of them.
  explicit TargetSet(std::string_view text);

  bool Has(const Target& target) const;
  // The rows of AllTargets() as bits.
  u64 bits() const { return bits_; }
  // "sm_80 or later", "sm_90a, or sm_100f or sm_100a or later of their family".
  static std::string Describe(std::string_view text);

  friend bool operator==(const TargetSet&, const TargetSet&) = default;

 private:
  u64 bits_ = ~u64{0};
};

}  // namespace ptxfarm::ptx::isa
