// Instructions alone: what the first statement of a spelling costs, and each one after it.
#include <benchmark/benchmark.h>

#include "toolchain/ptx/isa/spelling_cache.h"

namespace ptxfarm::ptx {
namespace {

constexpr std::string_view kMnemonics[] = {
    "add.s32",
    "mov.u64",
    "ld.global.nc.v4.f32",
    "st.shared.b32",
    "fma.rn.f32",
    "setp.lt.s32",
    "cvt.rn.f32.s32",
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes",
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
    "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16",
};

const ModuleHead kHead{.version = {9, 0}, .target = *ParseModuleTarget("sm_90a")};

// The first of the process.
void BM_ResolveSpellings(benchmark::State& state) {
  for (auto _ : state) {
    isa::SpellingCache cache;
    for (const std::string_view mnemonic : kMnemonics)
      benchmark::DoNotOptimize(cache.Find(mnemonic, kHead));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<i64>(std::size(kMnemonics)));
}
BENCHMARK(BM_ResolveSpellings);

// With an empty table, as each module begins.
void BM_BeginModule(benchmark::State& state) {
  for (auto _ : state) {
    isa::SpellingTable table(kHead);
    for (const std::string_view mnemonic : kMnemonics)
      benchmark::DoNotOptimize(table.Find(mnemonic));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<i64>(std::size(kMnemonics)));
}
BENCHMARK(BM_BeginModule);

void BM_FindSpellings(benchmark::State& state) {
  isa::SpellingTable table(kHead);
  for (const std::string_view mnemonic : kMnemonics) table.Find(mnemonic);
  for (auto _ : state)
    for (const std::string_view mnemonic : kMnemonics)
      benchmark::DoNotOptimize(table.Find(mnemonic));
  state.SetItemsProcessed(state.iterations() * static_cast<i64>(std::size(kMnemonics)));
}
BENCHMARK(BM_FindSpellings);

}  // namespace
}  // namespace ptxfarm::ptx
