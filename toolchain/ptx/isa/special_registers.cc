// The table of special registers. To add one, add its row.
//
// %envreg0 and following have no gate, as ptxas 13.0 has it; the manual says PTX 2.1.
#include "toolchain/ptx/isa/special_registers.h"

#include <algorithm>
#include <array>

namespace ptxfarm::ptx {
namespace {

using enum Type;

// clang-format off
constexpr SpecialRegisterDesc kSpecialRegisters[] = {
    // name                         type  vector {since, target} section  meaning                               other widths
    {"%tid",                         kU32,  4, {{1, 0}},     "10.1",  "thread in its CTA", OtherWidths::k16},
    {"%ntid",                        kU32,  4, {{1, 0}},     "10.2",  "threads of a CTA", OtherWidths::k16},
    {"%laneid",                      kU32,  1, {{1, 3}},     "10.3",  "lane in its warp"},
    {"%warpid",                      kU32,  1, {{1, 3}},     "10.4",  "warp in its CTA; may change"},
    {"%nwarpid",                     kU32,  1, {{2, 0}, 20}, "10.5",  "warps that a CTA may have"},
    {"%ctaid",                       kU32,  4, {{1, 0}},     "10.6",  "CTA in its grid", OtherWidths::k16},
    {"%nctaid",                      kU32,  4, {{1, 0}},     "10.7",  "CTAs of the grid", OtherWidths::k16},
    {"%smid",                        kU32,  1, {{1, 3}},     "10.8",  "multiprocessor; may change"},
    {"%nsmid",                       kU32,  1, {{2, 0}, 20}, "10.9",  "multiprocessors, as numbered"},
    {"%gridid",                      kU64,  1, {{1, 0}},     "10.10", "grid of the context", OtherWidths::k16And32},
    {"%is_explicit_cluster",         kPred, 1, {{7, 8}, 90}, "10.11", "whether the launch named clusters"},
    {"%clusterid",                   kU32,  4, {{7, 8}, 90}, "10.12", "cluster in its grid"},
    {"%nclusterid",                  kU32,  4, {{7, 8}, 90}, "10.13", "clusters of the grid"},
    {"%cluster_ctaid",               kU32,  4, {{7, 8}, 90}, "10.14", "CTA in its cluster"},
    {"%cluster_nctaid",              kU32,  4, {{7, 8}, 90}, "10.15", "CTAs of a cluster"},
    {"%cluster_ctarank",             kU32,  1, {{7, 8}, 90}, "10.16", "CTA in its cluster, flat"},
    {"%cluster_nctarank",            kU32,  1, {{7, 8}, 90}, "10.17", "CTAs of a cluster, flat"},
    {"%lanemask_eq",                 kU32,  1, {{2, 0}, 20}, "10.18", "mask of this lane"},
    {"%lanemask_le",                 kU32,  1, {{2, 0}, 20}, "10.19", "mask of lanes up to this one"},
    {"%lanemask_lt",                 kU32,  1, {{2, 0}, 20}, "10.20", "mask of lanes before this one"},
    {"%lanemask_ge",                 kU32,  1, {{2, 0}, 20}, "10.21", "mask of lanes from this one on"},
    {"%lanemask_gt",                 kU32,  1, {{2, 0}, 20}, "10.22", "mask of lanes after this one"},
    {"%clock",                       kU32,  1, {{1, 0}},     "10.23", "cycles, lower half"},
    {"%clock_hi",                    kU32,  1, {{5, 0}, 20}, "10.23", "cycles, upper half"},
    {"%clock64",                     kU64,  1, {{2, 0}, 20}, "10.24", "cycles"},
    {"%pm0",                         kU32,  1, {{1, 3}},     "10.25", "performance counter"},
    {"%pm1",                         kU32,  1, {{1, 3}},     "10.25", "performance counter"},
    {"%pm2",                         kU32,  1, {{1, 3}},     "10.25", "performance counter"},
    {"%pm3",                         kU32,  1, {{1, 3}},     "10.25", "performance counter"},
    {"%pm4",                         kU32,  1, {{3, 0}, 20}, "10.25", "performance counter"},
    {"%pm5",                         kU32,  1, {{3, 0}, 20}, "10.25", "performance counter"},
    {"%pm6",                         kU32,  1, {{3, 0}, 20}, "10.25", "performance counter"},
    {"%pm7",                         kU32,  1, {{3, 0}, 20}, "10.25", "performance counter"},
    {"%pm0_64",                      kU64,  1, {{4, 0}, 50}, "10.26", "performance counter"},
    {"%pm1_64",                      kU64,  1, {{4, 0}, 50}, "10.26", "performance counter"},
    {"%pm2_64",                      kU64,  1, {{4, 0}, 50}, "10.26", "performance counter"},
    {"%pm3_64",                      kU64,  1, {{4, 0}, 50}, "10.26", "performance counter"},
    {"%pm4_64",                      kU64,  1, {{4, 0}, 50}, "10.26", "performance counter"},
    {"%pm5_64",                      kU64,  1, {{4, 0}, 50}, "10.26", "performance counter"},
    {"%pm6_64",                      kU64,  1, {{4, 0}, 50}, "10.26", "performance counter"},
    {"%pm7_64",                      kU64,  1, {{4, 0}, 50}, "10.26", "performance counter"},
    {"%envreg0",                     kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg1",                     kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg2",                     kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg3",                     kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg4",                     kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg5",                     kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg6",                     kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg7",                     kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg8",                     kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg9",                     kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg10",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg11",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg12",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg13",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg14",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg15",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg16",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg17",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg18",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg19",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg20",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg21",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg22",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg23",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg24",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg25",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg26",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg27",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg28",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg29",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg30",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%envreg31",                    kB32,  1, {{1, 0}},     "10.27", "set by the driver"},
    {"%globaltimer",                 kU64,  1, {{3, 1}, 30}, "10.28", "nanoseconds"},
    {"%globaltimer_lo",              kU32,  1, {{3, 1}, 30}, "10.28", "nanoseconds, lower half"},
    {"%globaltimer_hi",              kU32,  1, {{3, 1}, 30}, "10.28", "nanoseconds, upper half"},
    {"%reserved_smem_offset_begin",  kB32,  1, {{7, 6}, 80}, "10.29", "begin of reserved shared memory"},
    {"%reserved_smem_offset_end",    kB32,  1, {{7, 6}, 80}, "10.29", "end of reserved shared memory"},
    {"%reserved_smem_offset_cap",    kB32,  1, {{7, 6}, 80}, "10.29", "bytes of reserved shared memory"},
    {"%reserved_smem_offset_0",      kB32,  1, {{7, 6}, 80}, "10.29", "offsets in reserved shared memory"},
    {"%reserved_smem_offset_1",      kB32,  1, {{7, 6}, 80}, "10.29", "offsets in reserved shared memory"},
    {"%total_smem_size",             kU32,  1, {{4, 1}, 20}, "10.30", "bytes of shared memory of a CTA"},
    {"%aggr_smem_size",              kU32,  1, {{8, 1}, 90}, "10.31", "the same with what is reserved"},
    {"%dynamic_smem_size",           kU32,  1, {{4, 1}, 20}, "10.32", "bytes asked for at launch"},
    {"%current_graph_exec",          kU64,  1, {{8, 0}, 50}, "10.33", "graph that runs the grid"},
    {"%perctamemoryoffset",          kU64,  1, {{9, 4}, 80}, "10.34", "the CTA's part of .minperctamemory"},
    {"%perctamemorysize",            kU32,  1, {{9, 4}, 80}, "10.35", "bytes of it"},
};
// clang-format on

constexpr std::size_t kCount = std::size(kSpecialRegisters);

// The rows in the order of their names.
constexpr std::array<u8, kCount> kByName = [] {
  std::array<u8, kCount> rows{};
  for (std::size_t i = 0; i < kCount; ++i) rows[i] = static_cast<u8>(i);
  std::sort(rows.begin(), rows.end(),
            [](u8 a, u8 b) { return kSpecialRegisters[a].name < kSpecialRegisters[b].name; });
  return rows;
}();

}  // namespace

std::span<const SpecialRegisterDesc> AllSpecialRegisters() { return kSpecialRegisters; }

const SpecialRegisterDesc* FindSpecialRegister(std::string_view name) {
  const auto found = std::lower_bound(
      kByName.begin(), kByName.end(), name,
      [](u8 row, std::string_view word) { return kSpecialRegisters[row].name < word; });
  if (found == kByName.end() || kSpecialRegisters[*found].name != name) return nullptr;
  return &kSpecialRegisters[*found];
}

}  // namespace ptxfarm::ptx
