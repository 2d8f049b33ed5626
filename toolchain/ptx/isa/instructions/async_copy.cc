// PTX ISA 9.4 §9.7.9.26 asynchronous copies, §9.7.9.27 tensor maps.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kAsyncCopy[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.9.26.3.1 cp
    {"cp.async.ca(.shared|.shared::cta).global{.L2::cache_hint}{<L2_fetch>}", "", "",
     "dst:addr, src:addr, cpsize:imm(4|8|16), srcsize:val(i32)?, pol:reg(b64) @ .L2::cache_hint", {7, 0}, "sm_80+",
     "L2_fetch|.L2::cache_hint: 7.4", 2, "9.7.9.26.3.1"},
    {"cp.async.cg(.shared|.shared::cta).global{.L2::cache_hint}{<L2_fetch>}", "", "",
     "dst:addr, src:addr, cpsize:imm(16), srcsize:val(i32)?, pol:reg(b64) @ .L2::cache_hint", {7, 0}, "sm_80+",
     "L2_fetch|.L2::cache_hint: 7.4", 2, "9.7.9.26.3.1"},
    {"cp.async(.ca|.cg)(.shared|.shared::cta).global{.L2::cache_hint}{<L2_fetch>}", "", "",
     "dst:addr, src:addr, cpsize:imm(16), ignoresrc:npred, pol:reg(b64) @ .L2::cache_hint", {7, 5}, "sm_80+", "", 2, "9.7.9.26.3.1"},
    // §9.7.9.26.3.2 cp
    {"cp.async.commit_group", "", "", "", {7, 0}, "sm_80+", "", 2, "9.7.9.26.3.2"},
    // §9.7.9.26.3.3 cp
    {"cp.async.wait_group", "", "", "N:imm(0..)", {7, 0}, "sm_80+", "", 2, "9.7.9.26.3.3"},
    {"cp.async.wait_all",   "", "", "",           {7, 0}, "sm_80+", "", 2, "9.7.9.26.3.3"},
    // §9.7.9.26.4.1 cp
    {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.L2::cache_hint}", "", "",
     "dst:addr, src:addr, size:reg(u32), mbar:addr, pol:reg(b64) @ .L2::cache_hint", {8, 6}, "sm_90+", "", 3, "9.7.9.26.4.1"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{.multicast::cluster}{.L2::cache_hint}", "", "",
     "dst:addr, src:addr, size:reg(u32), mbar:addr, mask:val(u16) @ .multicast::cluster, pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+",
     "", 3, "9.7.9.26.4.1"},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "", "",
     "dst:addr, src:addr, size:reg(u32), mbar:addr", {8, 0}, "sm_90+", "", 3, "9.7.9.26.4.1"},
    {"cp.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}{.cp_mask}", "", "",
     "dst:addr, src:addr, size:reg(u32), pol:reg(b64) @ .L2::cache_hint, bytemask:val(u16) @ .cp_mask", {8, 0}, "sm_90+",
     ".cp_mask: 8.6 sm_100+", 3, "9.7.9.26.4.1"},
    {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.L2::cache_hint}.ignore_oob", "", "",
     "d:addr, a:addr, size:val(u32), left:val(u32), right:val(u32), mbar:addr, pol:reg(b64) @ .L2::cache_hint", {9, 2}, "sm_90+", "", 1, "9.7.9.26.4.1"},
    {"cp.async.bulk.weak.shared::cta.global.mbarrier::complete_tx::bytes{.L2::cache_hint}{.ignore_oob}", "", "",
     "d:addr, a:addr, size:val(u32), left:val(u32) @ .ignore_oob, right:val(u32) @ .ignore_oob, mbar:addr, pol:reg(b64) @ .L2::cache_hint", {9, 3}, "sm_90a|sm_100f+|sm_110f+",
     "", 1, "9.7.9.26.4.1"},
    {"cp.async.bulk.relaxed<scope>.shared::cta.global.mbarrier::complete_tx::bytes{.L2::cache_hint}{.ignore_oob}.b128", "", "",
     "d:addr, a:addr, size:val(u32), left:val(u32) @ .ignore_oob, right:val(u32) @ .ignore_oob, mbar:addr, pol:reg(b64) @ .L2::cache_hint", {9, 3}, "sm_90a|sm_100f+|sm_110f+",
     "", 1, "9.7.9.26.4.1"},
    {"cp.async.bulk.weak.shared::cluster.global.mbarrier::complete_tx::bytes{.multicast::cluster}{.L2::cache_hint}", "", "",
     "d:addr, a:addr, size:val(u32), mbar:addr, mask:reg(u16) @ .multicast::cluster, pol:reg(b64) @ .L2::cache_hint", {9, 3}, "sm_90a|sm_100f+|sm_110f+",
     "", 1, "9.7.9.26.4.1"},
    {"cp.async.bulk.relaxed<scope>.shared::cluster.global.mbarrier::complete_tx::bytes{.multicast::cluster}{.L2::cache_hint}.b128", "", "",
     "d:addr, a:addr, size:val(u32), mbar:addr, mask:reg(u16) @ .multicast::cluster, pol:reg(b64) @ .L2::cache_hint", {9, 3}, "sm_90a|sm_100f+|sm_110f+",
     "", 1, "9.7.9.26.4.1"},
    {"cp.async.bulk.weak.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "", "",
     "d:addr, a:addr, size:val(u32), mbar:addr", {9, 3}, "sm_90a|sm_100f+|sm_110f+", "", 1, "9.7.9.26.4.1"},
    {"cp.async.bulk.relaxed(.cta|.cluster).shared::cluster.shared::cta.mbarrier::complete_tx::bytes.b128", "", "",
     "d:addr, a:addr, size:val(u32), mbar:addr", {9, 3}, "sm_90a|sm_100f+|sm_110f+", "", 1, "9.7.9.26.4.1"},
    {"cp.async.bulk.weak.global.shared::cta.bulk_group{.L2::cache_hint}{.cp_mask}", "", "",
     "d:addr, a:addr, size:val(u32), pol:reg(b64) @ .L2::cache_hint, mask:reg(u16) @ .cp_mask", {9, 3}, "sm_90a|sm_100f+|sm_110f+", "", 1, "9.7.9.26.4.1"},
    {"cp.async.bulk.relaxed<scope>.global.shared::cta.bulk_group{.L2::cache_hint}{.cp_mask}.b128", "", "",
     "d:addr, a:addr, size:val(u32), pol:reg(b64) @ .L2::cache_hint, mask:reg(u16) @ .cp_mask", {9, 3}, "sm_90a|sm_100f+|sm_110f+", "", 1, "9.7.9.26.4.1"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{<rep>}(.multicast::cluster::16b|.multicast::cluster::32b){.L2::cache_hint}", "rep=.mbarrier::report::disabled|.mbarrier::report::validity::per_16bytes::80000000|.mbarrier::report::validity::per_16bytes::8000|.mbarrier::report::validity::per_16bytes::80|.mbarrier::report::validity::per_16bytes::8|.mbarrier::report::validity::per_element::ff", "",
     "d:addr, a:addr, size:val(u32), mbar:addr, mask:reg(u16) @ .multicast::cluster::16b, mask32:reg(u32) @ .multicast::cluster::32b, pol:reg(b64) @ .L2::cache_hint", {9, 4}, "sm_107f+",
     "", 1, "9.7.9.26.4.1", "", "reported only"},
    // §9.7.9.26.4.2 cp
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes<op><T>", "op=reduce; T=.b32|.u32|.s32|.u64", "op=.and|.or|.xor => T=.b32; T=.b32 => op=.and|.or|.xor; op=.inc|.dec => T=.u32; op=.min|.max => T=.u32|.s32; op=.add => T=.u32|.s32|.u64",
     "dst:addr, src:addr, size:reg(u32), mbar:addr", {8, 0}, "sm_90+", "", 4, "9.7.9.26.4.2"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}<op><T>", "op=reduce; T=bulk", "op=.and|.or|.xor => T=.b32|.b64; T=.b32|.b64 => op=.and|.or|.xor; op=.inc|.dec => T=.u32; op=.min|.max => T=.u32|.s32|.u64|.s64|.f16|.bf16; op=.add => T=.u32|.s32|.u64|.f32|.f64",
     "dst:addr, src:addr, size:reg(u32), pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+", "", 4, "9.7.9.26.4.2"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.add.noftz<T>", "T=.f16|.bf16", "",
     "dst:addr, src:addr, size:reg(u32), pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+", "", 4, "9.7.9.26.4.2"},
    {"cp.reduce.async.bulk.relaxed(.cta|.cluster).shared::cluster.shared::cta.mbarrier::complete_tx::bytes<op><T>", "op=reduce; T=.b32|.u32|.s32|.b64|.u64", "op=.and|.or|.xor => T=.b32; op=.inc|.dec => T=.u32; op=.min|.max => T=.u32|.s32; op=.add => T=.u32|.s32|.u64",
     "d:addr, a:addr, size:val(u32), mbar:addr", {9, 3}, "sm_90+", "", 1, "9.7.9.26.4.2"},
    {"cp.reduce.async.bulk.relaxed<scope>.global.shared::cta.bulk_group{.L2::cache_hint}<op><T>", "op=reduce; T=bulk", "op=.and|.or|.xor => T=.b32|.b64; op=.inc|.dec => T=.u32; op=.min|.max => T=.u32|.s32|.u64|.s64|.f16|.bf16; op=.add => T=.u32|.s32|.u64|.f32|.f64",
     "d:addr, a:addr, size:val(u32), pol:reg(b64) @ .L2::cache_hint", {9, 3}, "sm_90+", "", 1, "9.7.9.26.4.2"},
    {"cp.reduce.async.bulk.relaxed<scope>.global.shared::cta.bulk_group{.L2::cache_hint}.add.noftz<T>", "T=.f16|.bf16", "",
     "d:addr, a:addr, size:val(u32), pol:reg(b64) @ .L2::cache_hint", {9, 3}, "sm_90+", "", 1, "9.7.9.26.4.2"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.add.noftz.f32", "", "",
     "d:addr, a:addr, size:val(u32), pol:reg(b64) @ .L2::cache_hint", {9, 4}, "sm_90+", "", 1, "9.7.9.26.4.2", "", "reported only"},
    // §9.7.9.26.4.3 cp
    {"cp.async.bulk.prefetch.L2.global{.L2::cache_hint}", "", "",
     "src:addr, size:reg(u32), pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+", "", 4, "9.7.9.26.4.3"},
    {"cp.async.bulk.prefetch.L2.global.L2::evict_last", "", "", "a:addr, size:val(u32)", {9, 4}, "sm_107f+", "", 1, "9.7.9.26.4.3", "", "reported only"},
    // §9.7.9.26.4.4 multimem
    {"multimem.cp.async.bulk{.weak}.global.shared::cta.bulk_group{.cp_mask}", "", "",
     "d:addr, a:addr, size:val(u32), mask:reg(u16) @ .cp_mask", {9, 1}, "sm_90+",
     ".weak: 9.3 sm_90a|sm_100f+|sm_110f+; .cp_mask: sm_100+", 1, "9.7.9.26.4.4"},
    {"multimem.cp.async.bulk.relaxed<scope>.global.shared::cta.bulk_group{.cp_mask}.b128", "", "",
     "d:addr, a:addr, size:val(u32), mask:reg(u16) @ .cp_mask", {9, 3}, "sm_90a|sm_100f+|sm_110f+", "", 1, "9.7.9.26.4.4"},
    // §9.7.9.26.4.5 multimem
    {"multimem.cp.reduce.async.bulk{.relaxed<scope>}.global.shared::cta.bulk_group<op><T>", "op=reduce; T=bulk", "op=.and|.or|.xor => T=.b32|.b64; op=.inc|.dec => T=.u32; op=.min|.max => T=.u32|.s32|.u64|.s64|.f16|.bf16; op=.add => T=.u32|.s32|.u64|.f32|.f64",
     "d:addr, a:addr, size:val(u32)", {9, 1}, "sm_90+", ".relaxed: 9.3", 1, "9.7.9.26.4.5"},
    {"multimem.cp.reduce.async.bulk{.relaxed<scope>}.global.shared::cta.bulk_group.add.noftz<T>", "T=.f16|.bf16", "",
     "d:addr, a:addr, size:val(u32)", {9, 1}, "sm_90+", ".relaxed: 9.3", 1, "9.7.9.26.4.5"},
    {"multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f32", "", "",
     "d:addr, a:addr, size:val(u32)", {9, 4}, "sm_90+", "", 1, "9.7.9.26.4.5", "", "reported only"},
    // §9.7.9.26.5.2 cp
    {"cp.async.bulk.tensor<dim>.shared::cta.global{.tile}.mbarrier::complete_tx::bytes{<cta_group>}{.L2::cache_hint}", "", "",
     "dst:addr, tm:tensor_addr(dim), mbar:addr, pol:reg(b64) @ .L2::cache_hint", {8, 6}, "sm_90+", "cta_group: sm_100f+|sm_110f+", 4, "9.7.9.26.5.2"},
    {"cp.async.bulk.tensor<dim>.shared::cta.global(.im2col|.im2col::w|.im2col::w::128).mbarrier::complete_tx::bytes{<cta_group>}{.L2::cache_hint}", "dim=dim3_5", "",
     "dst:addr, tm:tensor_addr(dim), mbar:addr, info:im2col_vec, pol:reg(b64) @ .L2::cache_hint", {8, 6}, "sm_90+",
     "cta_group|.im2col::w::128: sm_100f+|sm_110f+; .im2col::w: sm_100+", 4, "9.7.9.26.5.2"},
    {"cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes{<cta_group>}{.L2::cache_hint}", "", "",
     "dst:addr, tm:tensor_addr(5), mbar:addr, pol:reg(b64) @ .L2::cache_hint", {8, 6}, "sm_100+", "cta_group: sm_100f+|sm_110f+", 4, "9.7.9.26.5.2"},
    {"cp.async.bulk.tensor<dim>.shared::cluster.global{.tile}.mbarrier::complete_tx::bytes{.multicast::cluster}{<cta_group>}{.L2::cache_hint}", "", "",
     "dst:addr, tm:tensor_addr(dim), mbar:addr, mask:val(u16) @ .multicast::cluster, pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+",
     "cta_group: 8.6 sm_100f+|sm_110f+", 4, "9.7.9.26.5.2"},
    {"cp.async.bulk.tensor<dim>.shared::cluster.global(.im2col|.im2col::w|.im2col::w::128).mbarrier::complete_tx::bytes{.multicast::cluster}{<cta_group>}{.L2::cache_hint}", "dim=dim3_5", "",
     "dst:addr, tm:tensor_addr(dim), mbar:addr, info:im2col_vec, mask:val(u16) @ .multicast::cluster, pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+",
     "cta_group|.im2col::w|.im2col::w::128: 8.6 sm_100f+|sm_110f+", 4, "9.7.9.26.5.2"},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes{.multicast::cluster}{<cta_group>}{.L2::cache_hint}", "", "",
     "dst:addr, tm:tensor_addr(5), mbar:addr, mask:val(u16) @ .multicast::cluster, pol:reg(b64) @ .L2::cache_hint", {8, 6}, "sm_100f+|sm_110f+",
     "", 4, "9.7.9.26.5.2"},
    {"cp.async.bulk.tensor<dim>.global.shared::cta{.tile}.bulk_group{.L2::cache_hint}", "", "",
     "tm:tensor_addr(dim), src:addr, pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+", "", 4, "9.7.9.26.5.2"},
    {"cp.async.bulk.tensor<dim>.global.shared::cta.im2col_no_offs.bulk_group{.L2::cache_hint}", "dim=dim3_5", "",
     "tm:tensor_addr(dim), src:addr, pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+", "", 4, "9.7.9.26.5.2"},
    {"cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group{.L2::cache_hint}", "", "",
     "tm:tensor_addr(5), src:addr, pol:reg(b64) @ .L2::cache_hint", {8, 6}, "sm_100f+|sm_110f+", "", 4, "9.7.9.26.5.2"},
    {"cp.async.bulk.tensor<dim>.shared::cluster.global.tile.mbarrier::complete_tx::bytes{.multicast::cluster::32b}(.override::global_address|.override::global_dim|.override::global_dim_stride){.L2::cache_hint}", "", ".override::global_dim => dim=.1d; .override::global_dim_stride => dim=.2d|.3d|.4d|.5d",
     "d:addr, a:tensor_addr(dim, overrides), mbar:addr, mask32:reg(u32) @ .multicast::cluster::32b, pol:reg(b64) @ .L2::cache_hint", {9, 4}, "sm_107f+",
     "", 1, "9.7.9.26.5.2", "", "reported only: [tensorMap, address, {sizes}, {strides}, upper, coords]: override operands inside the brackets; tile mode only"},
    // §9.7.9.26.5.3 cp
    {"cp.reduce.async.bulk.tensor<dim>.global.shared::cta<op>{.tile}.bulk_group{.L2::cache_hint}", "op=reduce", "",
     "tm:tensor_addr(dim), src:addr, pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+", "", 5, "9.7.9.26.5.3"},
    {"cp.reduce.async.bulk.tensor<dim>.global.shared::cta<op>.im2col_no_offs.bulk_group{.L2::cache_hint}", "dim=dim3_5; op=reduce", "",
     "tm:tensor_addr(dim), src:addr, pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+", "", 5, "9.7.9.26.5.3"},
    // §9.7.9.26.5.4 cp
    {"cp.async.bulk.prefetch.tensor<dim>.L2.global{.tile}{.L2::cache_hint}", "", "",
     "tm:tensor_addr(dim), pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+", "", 5, "9.7.9.26.5.4"},
    {"cp.async.bulk.prefetch.tensor<dim>.L2.global(.im2col|.im2col::w|.im2col::w::128){.L2::cache_hint}", "dim=dim3_5", "",
     "tm:tensor_addr(dim), info:im2col_vec, pol:reg(b64) @ .L2::cache_hint", {8, 0}, "sm_90+",
     ".im2col::w|.im2col::w::128: 8.6 sm_100f+|sm_110f+", 5, "9.7.9.26.5.4"},
    {"cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4{.L2::cache_hint}", "", "",
     "tm:tensor_addr(5), pol:reg(b64) @ .L2::cache_hint", {8, 6}, "sm_100f+|sm_110f+", "", 5, "9.7.9.26.5.4"},
    {"cp.async.bulk.prefetch.tensor<dim>.L2.global{.tile|.tile::gather4|.im2col|.im2col::w|.im2col::w::128}.L2::evict_last", "", "",
     "a:tensor_addr(dim), im:im2col_vec @ .im2col|.im2col::w|.im2col::w::128", {9, 4}, "sm_107f+", "", 1, "9.7.9.26.5.4", "", "reported only"},
    // §9.7.9.26.6.1 cp
    {"cp.async.bulk.commit_group", "", "", "", {8, 0}, "sm_90+", "", 3, "9.7.9.26.6.1"},
    // §9.7.9.26.6.2 cp
    {"cp.async.bulk.wait_group{.read}", "", "", "N:imm(0..)", {8, 0}, "sm_90+", "", 4, "9.7.9.26.6.2"},
    // §9.7.9.27 tensormap
    {"tensormap.replace.tile.global_address{.global|.shared::cta}.b1024.b64", "", "",
     "a:addr, v:val(b64)", {8, 3}, "sm_100f+|sm_120f+|sm_110f+|sm_90a", "", 2, "9.7.9.27"},
    {"tensormap.replace.tile.rank{.global|.shared::cta}.b1024.b32", "", "", "a:addr, v:val(b32)", {8, 3}, "sm_100f+|sm_120f+|sm_110f+|sm_90a", "", 2, "9.7.9.27"},
    {"tensormap.replace.tile(.box_dim|.global_dim|.element_stride){.global|.shared::cta}.b1024.b32", "", "",
     "a:addr, ord:imm(0..4), v:val(int(b32))", {8, 3}, "sm_100f+|sm_120f+|sm_110f+|sm_90a", "", 2, "9.7.9.27"},
    {"tensormap.replace.tile.global_stride{.global|.shared::cta}.b1024.b64", "", "",
     "a:addr, ord:imm(0..4), v:val(b64)", {8, 3}, "sm_100f+|sm_120f+|sm_110f+|sm_90a", "", 2, "9.7.9.27"},
    {"tensormap.replace.tile(.elemtype|.interleave_layout|.swizzle_mode|.fill_mode){.global|.shared::cta}.b1024.b32", "", "",
     "a:addr, v:imm(0..15)", {8, 3}, "sm_100f+|sm_120f+|sm_110f+|sm_90a", "", 2, "9.7.9.27"},
    {"tensormap.replace.tile.swizzle_atomicity{.global|.shared::cta}.b1024.b32", "", "",
     "a:addr, v:imm(0..3)", {8, 6}, "sm_100f+|sm_120f+|sm_110f+", "", 2, "9.7.9.27"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> AsyncCopyInstructions() { return kAsyncCopy; }

}  // namespace ptxfarm::ptx::isa
