// What a template does with its operands, gathered as the verifier understands its instructions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "toolchain/ptx/inline_assembly/mapped_text.h"
#include "toolchain/ptx/isa/effects.h"
#include "toolchain/ptx/verify.h"

namespace ptxfarm::ptx {

// Of one operand; spans are of the PTX text.
struct OperandUse {
  std::optional<SourceSpan> first_write;
  std::optional<SourceSpan> first_read;
  bool is_read_before_write = false;
  bool is_surely_written = false;  // Once without a guard, or under one and its opposite.
  std::string guard;               // Of the first write under one: "!p".
};

// The first instruction with an effect.
struct EffectUse {
  isa::Effect effect = isa::Effect::kNone;
  std::string what;  // "st.global.u32", "%clock".
  SourceSpan span;
};

class TemplateUse {
 public:
  explicit TemplateUse(std::size_t operands) : operands_(operands) {}

  void See(const VerifiedInstruction& instruction);

  const std::vector<OperandUse>& operands() const { return operands_; }
  const std::vector<EffectUse>& effects() const { return effects_; }
  // A branch makes the order of the text no order of time.
  bool has_branch() const { return has_branch_; }

 private:
  void SeeOperand(const VerifiedInstruction& instruction, const ResolvedOperand& operand,
                  bool is_written);
  void SeeName(const VerifiedInstruction& instruction, const ResolvedOperand& operand,
               bool is_written);
  void SeeEffect(isa::Effect effect, std::string_view what, const Token& first, const Token& last);

  std::vector<OperandUse> operands_;
  std::vector<EffectUse> effects_;  // One a kind.
  bool has_branch_ = false;
};

}  // namespace ptxfarm::ptx
