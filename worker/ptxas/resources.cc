#include "worker/ptxas/resources.h"

#include <algorithm>

namespace ptxfarm::worker {
namespace {

using object::cubin::Cubin;
using object::cubin::CubinKind;

u32 ThreadsOf(const object::cubin::Function& function) {
  // A required size is a largest one as well. Products of hostile extents stay within 64 bits only
  // by a bound: no CTA has more threads than this.
  constexpr u64 kThreadsOfACtaMax = 1 << 16;
  const auto& extent = function.required_threads ? function.required_threads : function.max_threads;
  if (!extent) return 0;
  u64 threads = 1;
  for (const u32 size : {extent->x, extent->y, extent->z})
    threads = std::min(threads * std::max<u32>(size, 1), kThreadsOfACtaMax);
  return static_cast<u32>(threads);
}

action::KernelResources FromObject(const Cubin& cubin, const object::cubin::Function& function) {
  action::KernelResources kernel{
      .name = std::string(function.name),
      .is_entry = function.is_entry,
      .registers = function.registers,
      .barriers = function.barriers,
      .shared_bytes = function.shared_bytes,
      .frame_bytes = function.frame_bytes,
      .stack_bytes = function.stack_bytes.value_or(function.frame_bytes),
      .parameter_bytes = function.parameter_bytes,
      .code_bytes = function.code_bytes,
      .threads_max = ThreadsOf(function),
  };
  for (const auto& banks : {function.constant_banks, cubin.constant_banks})
    for (const object::cubin::BankUse& bank : banks) kernel.constant_bytes[bank.bank] = bank.bytes;
  return kernel;
}

}  // namespace

std::vector<action::KernelResources> ResourcesOf(const Cubin& cubin,
                                                 const std::map<std::string, LogResources>& log) {
  std::vector<action::KernelResources> kernels;
  for (const object::cubin::Function& function : cubin.functions) {
    if (!function.is_entry && cubin.kind == CubinKind::kExecutable) continue;
    action::KernelResources kernel = FromObject(cubin, function);
    if (const auto said = log.find(kernel.name); said != log.end()) {
      kernel.spill_store_bytes = said->second.spill_store_bytes;
      kernel.spill_load_bytes = said->second.spill_load_bytes;
      kernel.stack_bytes = std::max(kernel.stack_bytes, said->second.stack_bytes);
    }
    kernels.push_back(std::move(kernel));
  }
  std::sort(kernels.begin(), kernels.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return kernels;
}

std::vector<std::string> UndefinedSymbolsOf(const Cubin& cubin) {
  std::vector<std::string> names;
  for (const object::cubin::UndefinedSymbol& symbol : cubin.undefined)
    names.emplace_back(symbol.name);
  std::sort(names.begin(), names.end());
  return names;
}

action::ObjectKind ObjectKindOf(CubinKind kind) {
  switch (kind) {
    case CubinKind::kExecutable: return action::ObjectKind::kExecutable;
    case CubinKind::kRelocatable: return action::ObjectKind::kRelocatable;
    case CubinKind::kExtensible: return action::ObjectKind::kExtensible;
  }
  PTXFARM_CHECK(false, "no such kind of cubin");
}

}  // namespace ptxfarm::worker
