#include "toolchain/ptx/isa/assign_operands.h"

namespace ptxfarm::ptx::isa {
namespace {

class Assigner {
 public:
  Assigner(const Overload& overload, std::span<const ResolvedOperand> operands,
           const OperandContext& context)
      : specs_(overload.operands), operands_(operands), context_(context) {}

  Assignment Run() {
    if (Walk(0, 0)) return current_;
    return best_;
  }

 private:
  // Gives operands from `at` on to specs from `spec` on. Forms have at most two optional operands,
  // so there is little to try.
  bool Walk(std::size_t spec, std::size_t at) {
    if (spec == specs_.size()) return at == operands_.size();
    if (at < operands_.size() && at + Needed(spec + 1) <= operands_.size()) {
      const OperandFault fault = Judge(specs_[spec], operands_[at], context_);
      current_.operand[spec] = static_cast<i8>(at);
      if (!fault) {
        if (Walk(spec + 1, at + 1)) return true;
      } else if (best_.fault.kind == FaultKind::kNone || at > best_.fitting) {
        best_ = current_;
        best_.fault = fault;
        best_.fault_at = spec;
        best_.fitting = at;
      }
    }
    if (!specs_[spec].is_optional) return false;
    current_.operand[spec] = -1;
    return Walk(spec + 1, at);
  }

  // Operands that the specs from `spec` on need, less one: of the one at hand itself.
  std::size_t Needed(std::size_t spec) const {
    std::size_t needed = 1;
    for (std::size_t i = spec; i < specs_.size(); ++i) needed += !specs_[i].is_optional;
    return needed;
  }

  std::span<const OperandSpec> specs_;
  std::span<const ResolvedOperand> operands_;
  const OperandContext& context_;
  Assignment current_;
  Assignment best_;
};

}  // namespace

Assignment Assign(const Overload& overload, std::span<const ResolvedOperand> operands,
                  const OperandContext& context) {
  const bool has_count =
      operands.size() >= overload.operands_min && operands.size() <= overload.operands.size();
  if (!has_count) return {};
  Assignment assignment = Assigner(overload, operands, context).Run();
  assignment.has_count = true;
  return assignment;
}

}  // namespace ptxfarm::ptx::isa
