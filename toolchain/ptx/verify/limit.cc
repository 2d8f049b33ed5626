// What only the whole module tells: sums of memory, and names that nobody defines.
#include <algorithm>

#include "toolchain/ptx/verify/verifier.h"
#include "toolchain/target/reach.h"

namespace ptxfarm::ptx {
namespace {

// PTX Interoperability: functions that every driver has, so that nvcc declares and nobody defines
// them; ptxas 13.0 resolves each of these itself.
constexpr std::string_view kSystemFunctions[] = {
    "vprintf",
    "malloc",
    "free",
    "__assertfail",
};

// Calls into the driver, whatever follows.
constexpr std::string_view kSystemPrefix = "__cuda_syscall";

bool IsSystemFunction(std::string_view name) {
  return name.starts_with(kSystemPrefix) ||
         std::find(std::begin(kSystemFunctions), std::end(kSystemFunctions), name) !=
             std::end(kSystemFunctions);
}

}  // namespace

void Verifier::VerifyLimits() {
  VerifyResolved();
  VerifyConstantBytes();
  VerifySharedBytes();
}

void Verifier::VerifyResolved() {
  for (const FunctionState& state : function_states_) {
    if (state.is_defined) continue;
    if (errors_.is_full()) return;
    const Function& function = module_.functions[state.declaration];
    const std::string_view name = Text(function.name);
    if (function.is_entry && function.linkage == Linkage::kExtern) continue;
    if (IsSystemFunction(name)) continue;
    if (options_.is_relocatable) {
      if (state.first_use) undefined_symbols_.push_back(name);
      continue;
    }
    Diagnostic& diagnostic =
        Report<kinds::kUnresolved>(function.name, name, "a whole program has all that it calls");
    diagnostic.section = "11.6.1";
    diagnostic.hint = "define it, or make a relocatable object and link it";
    if (state.first_use)
      diagnostic.related.push_back(DeclaredHere(state.first_use, "first used here"));
  }
  if (options_.is_relocatable) return;
  for (const u32 index : externals_) {
    const Variable& variable = module_.variables[index];
    if (variable.space == StateSpace::kShared || BytesOf(variable) != 0 || variable.bank) continue;
    const Symbol* const symbol = symbols_.Find(Text(variable.name));
    if (symbol != nullptr && symbol->index != index) continue;  // Defined later.
    Report<kinds::kUnresolved>(variable.name, Text(variable.name),
                               "an array without size is defined elsewhere, and this is a whole "
                               "program")
        .section = "11.6.1";
  }
}

void Verifier::VerifyConstantBytes() {
  if (constant_bytes_ <= kConstantBytesMax.value || constants_.empty()) return;
  std::stable_sort(constants_.begin(), constants_.end(), [&](u32 a, u32 b) {
    return BytesOf(module_.variables[a]) > BytesOf(module_.variables[b]);
  });
  Diagnostic& diagnostic =
      Report<kinds::kConstantTooLarge>(module_.variables[constants_[0]].name, constant_bytes_,
                                       kConstantBytesMax.name, kConstantBytesMax.value);
  diagnostic.section = "5.1.3";
  diagnostic.asked = constant_bytes_;
  diagnostic.allowed = kConstantBytesMax.value;
  constexpr std::size_t kShownMax = 10;
  for (std::size_t i = 0; i < std::min(constants_.size(), kShownMax); ++i) {
    const Variable& variable = module_.variables[constants_[i]];
    diagnostic.related.push_back(DeclaredHere(
        variable.name, fmt::format("'{}': {} bytes", Text(variable.name), BytesOf(variable))));
  }
}

// An entry takes what it and the functions below it use. Most modules have less than the limit in
// all and need no sums.
void Verifier::VerifySharedBytes() {
  if (shared_bytes_ <= kSharedBytesMax.value || options_.is_relocatable) return;
  // Hostile call graphs make the sums quadratic; beyond this the compiler is the judge.
  u64 steps_left = u64{1} << 24;
  std::vector<u32> seen_function(function_states_.size(), ~u32{0});
  std::unordered_map<u32, u32> seen_variable;
  std::vector<u32> pending;
  for (u32 entry = 0; entry < function_states_.size(); ++entry) {
    const Function& function = module_.functions[function_states_[entry].declaration];
    if (!function.is_entry) continue;
    if (errors_.is_full()) return;
    u64 bytes = 0;
    TokenId largest = function.name;
    u64 largest_bytes = 0;
    pending.assign(1, entry);
    while (!pending.empty()) {
      const u32 at = pending.back();
      pending.pop_back();
      if (std::exchange(seen_function[at], entry) == entry) continue;
      const SharedUse& use = shared_uses_[at];
      const u64 cost = 1 + use.variables.size() + use.callees.size();
      if (cost > steps_left) return;
      steps_left -= cost;
      bytes += use.own_bytes;
      for (const u32 index : use.variables) {
        const auto [found, is_new] = seen_variable.try_emplace(index, entry);
        if (!is_new && std::exchange(found->second, entry) == entry) continue;
        const Variable& variable = module_.variables[index];
        const bool is_of_body = IsOfBody(index);
        const u64 variable_bytes = BytesOf(variable);
        if (!is_of_body) bytes += variable_bytes;
        if (variable_bytes > largest_bytes) {
          largest_bytes = variable_bytes;
          largest = variable.name;
        }
      }
      pending.insert(pending.end(), use.callees.begin(), use.callees.end());
    }
    if (bytes <= kSharedBytesMax.value) continue;
    Diagnostic& diagnostic = Report<kinds::kSharedTooLarge>(
        function.name, Text(function.name), bytes, kSharedBytesMax.name, kSharedBytesMax.value);
    diagnostic.section = "5.1.7";
    diagnostic.asked = bytes;
    diagnostic.allowed = kSharedBytesMax.value;
    diagnostic.hint = "dynamic shared memory ('.extern .shared') may be larger";
    if (largest != function.name)
      diagnostic.related.push_back(
          DeclaredHere(largest, fmt::format("{} bytes of them", largest_bytes)));
  }
}

// Variables of bodies are counted where they are declared.
bool Verifier::IsOfBody(u32 variable) const {
  const auto after = std::upper_bound(module_variables_.begin(), module_variables_.end(), variable);
  return after == module_variables_.begin() || *(after - 1) != variable;
}

}  // namespace ptxfarm::ptx
