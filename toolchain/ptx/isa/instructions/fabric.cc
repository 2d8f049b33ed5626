// PTX ISA 9.4 §9.7.10 fabric.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kFabric[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.10.5 fabric
    {"fabric.try_get.async.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.b128", "", "",
     "d:addr(i32), a:fabric_addr(2), size:val(u32), bar:addr(i32)", {9, 3}, "sm_100+", "", 1, "9.7.10.5"},
    {"fabric.try_put.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric{.cp_mask}.relaxed.sys.b128", "", "",
     "d:fabric_addr(2), a:addr(i32), size:val(u32), bar:addr(i32), mask:reg(u16) @ .cp_mask", {9, 3}, "sm_100+", "", 1, "9.7.10.5"},
    {"fabric.try_put.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.counted::bytes.relaxed.sys.b128", "", "",
     "d:fabric_addr(3), a:addr(i32), size:val(u32), bar:addr(i32)", {9, 3}, "sm_100+", "", 1, "9.7.10.5"},
    {"fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric{.counted::bytes}.relaxed.sys<op><T>", "op=.and|.or|.xor|.min|.max|.add; T=bulk", "op=.and|.or|.xor => T=.b32|.b64; op=.min|.max => T=.u32|.s32|.u64|.s64|.f16|.bf16; op=.add => T=.u32|.u64|.f16|.bf16|.f32|.f64",
     "d:fabric_addr(2) @ !.counted::bytes, d3:fabric_addr(3) @ .counted::bytes, a:addr(i32), size:val(u32), bar:addr(i32)", {9, 3}, "sm_100+",
     "", 1, "9.7.10.5"},
    {"fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys<op><T>.sync", "op=.and|.or|.xor|.min|.max|.add|.add.acc::f16|.add.acc::f32; T=.b32|.b64|.u32|.s32|.u64|.s64|.f16|.bf16|.f32|.e4m3|.e5m2", "op=.and|.or|.xor => T=.b32|.b64; op=.min|.max => T=.u32|.s32|.u64|.s64|.f16|.bf16|.e4m3|.e5m2; op=.add => T=.u32|.u64|.f16|.bf16|.f32; op=.add.acc::f16 => T=.e4m3|.e5m2; op=.add.acc::f32 => T=.f16|.bf16",
     "d:addr(i32), a:fabric_addr(2), size:val(u32), bar:addr(i32), mask:imm", {9, 3}, "sm_100+",
     "op=.add.acc::f16|.add.acc::f32: sm_100f+|sm_110f+|sm_120a|sm_121a; T=.e4m3|.e5m2: sm_100f+|sm_110f+|sm_120a|sm_121a", 1, "9.7.10.5"},
    {"fabric.submit{.op_restrict::fetching}", "", "", "", {9, 3}, "sm_100+", "", 1, "9.7.10.5"},
    {"fabric.wait.sync_restrict::reads",      "", "", "", {9, 3}, "sm_100+", "", 1, "9.7.10.5"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> FabricInstructions() { return kFabric; }

}  // namespace ptxfarm::ptx::isa
