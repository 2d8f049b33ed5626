// The third phase: Module → VerifiedModule.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/ptx/ast.h"
#include "toolchain/ptx/needs.h"
#include "toolchain/ptx/resolved_operand.h"

namespace ptxfarm::ptx {

namespace isa {
struct Overload;
}

// An instruction as it was understood: the form that it is, and what its operands mean.
struct VerifiedInstruction {
  const Module& module;
  const Instruction& syntax;
  const isa::Overload& overload;
  std::span<const ResolvedOperand> operands;  // Those between its commas; for the call only.
};

struct VerifyOptions {
  // What the module is to be compiled for; where there is none, reach is not judged.
  std::vector<Target> gpus;
  // A relocatable object is made: what is declared only may be defined elsewhere.
  bool is_relocatable = false;
  // Told of every instruction that is right by itself, in the order of the text.
  std::function<void(const VerifiedInstruction&)> on_instruction = nullptr;
};

// A module whose names, types, state spaces, numbers, versions and targets are right. Only Verify
// makes one. It holds what was parsed, so tokens and text must outlive it.
class VerifiedModule {
 public:
  const Module& module() const { return *module_; }
  // The lowest version and the targets that the contents need.
  const Needs& needs() const { return needs_; }
  // In order of place.
  const Diagnostics& warnings() const { return warnings_; }
  // Functions that are declared and called, not defined: where a relocatable object is made.
  const std::vector<std::string_view>& undefined_symbols() const { return undefined_symbols_; }

 private:
  friend class Verifier;
  VerifiedModule() = default;

  std::shared_ptr<const Module> module_;
  Needs needs_;
  Diagnostics warnings_;
  std::vector<std::string_view> undefined_symbols_;
};

// Verifies a module by the rules of PTX ISA 1.0 to 9.4, those of its own .version and .target. What
// ptxas 13.0 accepts besides is accepted where real code relies on it.
//
// Close to linear in the module. Safe to call from many threads.
Result<VerifiedModule, Diagnostics> Verify(Module module, const VerifyOptions& options = {});

// What is wrong with a module that has gaps, by the same rules; errors of its syntax not included.
// Nothing is said that what stands in a gap may have made right.
Diagnostics VerifyAroundGaps(Module module, const VerifyOptions& options = {});

}  // namespace ptxfarm::ptx
