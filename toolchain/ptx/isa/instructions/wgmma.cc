// PTX ISA 9.4 §9.7.16 asynchronous warpgroup matrix operations.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kWgmma[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.16.5 wgmma
    {"wgmma.mma_async.sync.aligned<sh><D>.f16.f16", "sh=m64_n_by_8_k16; D=.f16|.f32", "",
     "d:dvec(D{.f32:N/2; .f16:N/4}, D{.f32:f32; .f16:f16x2}), adesc:val(u64), bdesc:val(u64), scaled:npred, ia:imm(1|-1), ib:imm(1|-1), ta:imm(0|1), tb:imm(0|1)", {8, 0}, "sm_90a",
     "", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh><D>.f16.f16", "sh=m64_n_by_8_k16; D=.f16|.f32", "",
     "d:dvec(D{.f32:N/2; .f16:N/4}, D{.f32:f32; .f16:f16x2}), a:svec(4, f16x2), bdesc:val(u64), scaled:npred, ia:imm(1|-1), ib:imm(1|-1), tb:imm(0|1)", {8, 0}, "sm_90a",
     "", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh>.f32.bf16.bf16", "sh=m64_n_by_8_k16", "",
     "d:dvec(N/2, f32), adesc:val(u64), bdesc:val(u64), scaled:npred, ia:imm(1|-1), ib:imm(1|-1), ta:imm(0|1), tb:imm(0|1)", {8, 0}, "sm_90a",
     "", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh>.f32.bf16.bf16", "sh=m64_n_by_8_k16", "",
     "d:dvec(N/2, f32), a:svec(4, f16x2), bdesc:val(u64), scaled:npred, ia:imm(1|-1), ib:imm(1|-1), tb:imm(0|1)", {8, 0}, "sm_90a", "", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh>.f32.tf32.tf32", "sh=m64_n_by_8_k8", "",
     "d:dvec(N/2, f32), adesc:val(u64), bdesc:val(u64), scaled:npred, ia:imm(1|-1), ib:imm(1|-1)", {8, 0}, "sm_90a", "", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh>.f32.tf32.tf32", "sh=m64_n_by_8_k8", "",
     "d:dvec(N/2, f32), a:svec(4, f16x2), bdesc:val(u64), scaled:npred, ia:imm(1|-1), ib:imm(1|-1)", {8, 0}, "sm_90a", "", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh><D><A><B>", "sh=m64_n_by_8_k32; D=.f16|.f32; A=fp8; B=fp8", "",
     "d:dvec(D{.f32:N/2; .f16:N/4}, D{.f32:f32; .f16:f16x2}), adesc:val(u64), bdesc:val(u64), scaled:npred, ia:imm(1|-1), ib:imm(1|-1)", {8, 0}, "sm_90a",
     "", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh><D><A><B>", "sh=m64_n_by_8_k32; D=.f16|.f32; A=fp8; B=fp8", "",
     "d:dvec(D{.f32:N/2; .f16:N/4}, D{.f32:f32; .f16:f16x2}), a:svec(4, f16x2), bdesc:val(u64), scaled:npred, ia:imm(1|-1), ib:imm(1|-1)", {8, 0}, "sm_90a",
     "", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh>{.satfinite}.s32<A><B>", "sh=m64_n_by_16_k32; A=.s8|.u8; B=.s8|.u8", "",
     "d:dvec(N/2, s32), adesc:val(u64), bdesc:val(u64), scaled:npred", {8, 0}, "sm_90a", ".s8 & .u8: 8.4", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh>{.satfinite}.s32<A><B>", "sh=m64_n_by_16_k32; A=.s8|.u8; B=.s8|.u8", "",
     "d:dvec(N/2, s32), a:svec(4, b32), bdesc:val(u64), scaled:npred", {8, 0}, "sm_90a", ".s8 & .u8: 8.4", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh>.s32.b1.b1.and.popc", "sh=m64_n_by_16_k256", "",
     "d:dvec(N/2, s32), adesc:val(u64), bdesc:val(u64), scaled:npred", {8, 0}, "sm_90a", "", 2, "9.7.16.5"},
    {"wgmma.mma_async.sync.aligned<sh>.s32.b1.b1.and.popc", "sh=m64_n_by_16_k256", "",
     "d:dvec(N/2, s32), a:svec(4, b32), bdesc:val(u64), scaled:npred", {8, 0}, "sm_90a", "", 2, "9.7.16.5"},
    // §9.7.16.6 wgmma
    {"wgmma.mma_async.sp.sync.aligned<sh><D>.f16.f16", "sh=m64_n_by_8_k32; D=.f16|.f32", "",
     "d:dvec(D{.f32:N/2; .f16:N/4}, D{.f32:f32; .f16:f16x2}), adesc:val(u64), bdesc:val(u64), meta:reg(b32), sel:imm(0|1), scaled:npred, ia:imm(1|-1), ib:imm(1|-1), ta:imm(0|1), tb:imm(0|1)", {8, 2}, "sm_90a",
     "", 2, "9.7.16.6"},
    {"wgmma.mma_async.sp.sync.aligned<sh><D>.f16.f16", "sh=m64_n_by_8_k32; D=.f16|.f32", "",
     "d:dvec(D{.f32:N/2; .f16:N/4}, D{.f32:f32; .f16:f16x2}), a:svec(4, f16x2), bdesc:val(u64), meta:reg(b32), sel:imm(0|1), scaled:npred, ia:imm(1|-1), ib:imm(1|-1), tb:imm(0|1)", {8, 2}, "sm_90a",
     "", 2, "9.7.16.6"},
    {"wgmma.mma_async.sp.sync.aligned<sh>.f32.bf16.bf16", "sh=m64_n_by_8_k32", "",
     "d:dvec(N/2, f32), adesc:val(u64), bdesc:val(u64), meta:reg(b32), sel:imm(0|1), scaled:npred, ia:imm(1|-1), ib:imm(1|-1), ta:imm(0|1), tb:imm(0|1)", {8, 2}, "sm_90a",
     "", 2, "9.7.16.6"},
    {"wgmma.mma_async.sp.sync.aligned<sh>.f32.bf16.bf16", "sh=m64_n_by_8_k32", "",
     "d:dvec(N/2, f32), a:svec(4, f16x2), bdesc:val(u64), meta:reg(b32), sel:imm(0|1), scaled:npred, ia:imm(1|-1), ib:imm(1|-1), tb:imm(0|1)", {8, 2}, "sm_90a",
     "", 2, "9.7.16.6"},
    {"wgmma.mma_async.sp.sync.aligned<sh>.f32.tf32.tf32", "sh=m64_n_by_8_k16", "",
     "d:dvec(N/2, f32), adesc:val(u64), bdesc:val(u64), meta:reg(b32), sel:imm(0|1), scaled:npred, ia:imm(1|-1), ib:imm(1|-1)", {8, 2}, "sm_90a",
     "", 2, "9.7.16.6"},
    {"wgmma.mma_async.sp.sync.aligned<sh>.f32.tf32.tf32", "sh=m64_n_by_8_k16", "",
     "d:dvec(N/2, f32), a:svec(4, f16x2), bdesc:val(u64), meta:reg(b32), sel:imm(0|1), scaled:npred, ia:imm(1|-1), ib:imm(1|-1)", {8, 2}, "sm_90a",
     "", 2, "9.7.16.6"},
    {"wgmma.mma_async.sp.sync.aligned<sh><D><A><B>", "sh=m64_n_by_8_k64; D=.f16|.f32; A=fp8; B=fp8", "",
     "d:dvec(D{.f32:N/2; .f16:N/4}, D{.f32:f32; .f16:f16x2}), adesc:val(u64), bdesc:val(u64), meta:reg(b32), sel:imm(0), scaled:npred, ia:imm(1|-1), ib:imm(1|-1)", {8, 2}, "sm_90a",
     "", 2, "9.7.16.6"},
    {"wgmma.mma_async.sp.sync.aligned<sh><D><A><B>", "sh=m64_n_by_8_k64; D=.f16|.f32; A=fp8; B=fp8", "",
     "d:dvec(D{.f32:N/2; .f16:N/4}, D{.f32:f32; .f16:f16x2}), a:svec(4, f16x2), bdesc:val(u64), meta:reg(b32), sel:imm(0), scaled:npred, ia:imm(1|-1), ib:imm(1|-1)", {8, 2}, "sm_90a",
     "", 2, "9.7.16.6"},
    {"wgmma.mma_async.sp.sync.aligned<sh>{.satfinite}.s32<A><B>", "sh=m64_n_by_16_k64; A=.s8|.u8; B=.s8|.u8", "",
     "d:dvec(N/2, s32), adesc:val(u64), bdesc:val(u64), meta:reg(b32), sel:imm(0), scaled:npred", {8, 2}, "sm_90a", ".s8 & .u8: 8.4", 2, "9.7.16.6"},
    {"wgmma.mma_async.sp.sync.aligned<sh>{.satfinite}.s32<A><B>", "sh=m64_n_by_16_k64; A=.s8|.u8; B=.s8|.u8", "",
     "d:dvec(N/2, s32), a:svec(4, b32), bdesc:val(u64), meta:reg(b32), sel:imm(0), scaled:npred", {8, 2}, "sm_90a", ".s8 & .u8: 8.4", 2, "9.7.16.6"},
    // §9.7.16.7 wgmma
    {"wgmma.fence.sync.aligned",        "", "", "",            {8, 0}, "sm_90a", "", 2, "9.7.16.7"},
    {"wgmma.commit_group.sync.aligned", "", "", "",            {8, 0}, "sm_90a", "", 2, "9.7.16.7"},
    {"wgmma.wait_group.sync.aligned",   "", "", "N:imm(0..7)", {8, 0}, "sm_90a", "", 2, "9.7.16.7"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> WgmmaInstructions() { return kWgmma; }

}  // namespace ptxfarm::ptx::isa
