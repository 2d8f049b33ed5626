// PTX ISA 9.4 §9.7.15.4 wmma.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kWmma[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.15.4 wmma
    {"wmma.load.a.sync.aligned<lay><sh>{<space>}.f16", "lay=layout; sh=wmma_shape; space=matrix_space", "",
     "r:dvec(8, f16x2), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_70+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.a.sync.aligned<lay><sh>{<space>}<T>", "lay=layout; sh=wmma_shape; T=.s8|.u8; space=matrix_space", "",
     "r:dvec(sh{.m16n16k16:2; .m8n32k16:1; .m32n8k16:4}, int(b32)), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_72+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.a.sync.aligned<lay><sh>{<space>}.bf16", "lay=layout; sh=wmma_shape; space=matrix_space", "",
     "r:dvec(sh{.m16n16k16:4; .m8n32k16:2; .m32n8k16:8}, =b32), p:addr(i32), stride:val(i32)?", {7, 0}, "sm_80+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.a.sync.aligned<lay>.m16n16k8{<space>}.tf32", "lay=layout; space=matrix_space", "",
     "r:dvec(4, =b32), p:addr(i32), stride:val(i32)?", {7, 0}, "sm_80+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.a.sync.aligned<lay>.m8n8k4{<space>}.f64", "lay=layout; space=matrix_space", "",
     "r:dvec(1, f64), p:addr(i32), stride:val(i32)?", {7, 0}, "sm_80+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.a.sync.aligned.row.m8n8k32{<space>}<T>", "T=.s4|.u4; space=matrix_space", "",
     "r:dvec(1, b32), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_75+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.a.sync.aligned.row.m8n8k128{<space>}.b1", "space=matrix_space", "",
     "r:dvec(1, b32), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_75+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.b.sync.aligned<lay><sh>{<space>}.f16", "lay=layout; sh=wmma_shape; space=matrix_space", "",
     "r:dvec(8, f16x2), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_70+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.b.sync.aligned<lay><sh>{<space>}<T>", "lay=layout; sh=wmma_shape; T=.s8|.u8; space=matrix_space", "",
     "r:dvec(sh{.m16n16k16:2; .m8n32k16:4; .m32n8k16:1}, int(b32)), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_72+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.b.sync.aligned<lay><sh>{<space>}.bf16", "lay=layout; sh=wmma_shape; space=matrix_space", "",
     "r:dvec(sh{.m16n16k16:4; .m8n32k16:8; .m32n8k16:2}, =b32), p:addr(i32), stride:val(i32)?", {7, 0}, "sm_80+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.b.sync.aligned<lay>.m16n16k8{<space>}.tf32", "lay=layout; space=matrix_space", "",
     "r:dvec(4, =b32), p:addr(i32), stride:val(i32)?", {7, 0}, "sm_80+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.b.sync.aligned<lay>.m8n8k4{<space>}.f64", "lay=layout; space=matrix_space", "",
     "r:dvec(1, f64), p:addr(i32), stride:val(i32)?", {7, 0}, "sm_80+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.b.sync.aligned.col.m8n8k32{<space>}<T>", "T=.s4|.u4; space=matrix_space", "",
     "r:dvec(1, b32), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_75+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.b.sync.aligned.col.m8n8k128{<space>}.b1", "space=matrix_space", "",
     "r:dvec(1, b32), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_75+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.c.sync.aligned<lay><sh>{<space>}.f16", "lay=layout; sh=wmma_shape; space=matrix_space", "",
     "r:dvec(4, f16x2), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_70+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.c.sync.aligned<lay><sh>{<space>}.f32", "lay=layout; sh=wmma_shape; space=matrix_space", "",
     "r:dvec(8, f32), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_70+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.c.sync.aligned<lay><sh>{<space>}.s32", "lay=layout; sh=wmma_shape; space=matrix_space", "",
     "r:dvec(8, s32), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_72+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.c.sync.aligned<lay>.m16n16k8{<space>}.f32", "lay=layout; space=matrix_space", "",
     "r:dvec(8, f32), p:addr(i32), stride:val(i32)?", {7, 0}, "sm_80+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.c.sync.aligned<lay>.m8n8k4{<space>}.f64", "lay=layout; space=matrix_space", "",
     "r:dvec(2, f64), p:addr(i32), stride:val(i32)?", {7, 0}, "sm_80+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.load.c.sync.aligned<lay><sh>{<space>}.s32", "lay=layout; sh=.m8n8k32|.m8n8k128; space=matrix_space", "",
     "r:dvec(2, s32), p:addr(i32), stride:val(i32)?", {6, 3}, "sm_75+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.store.d.sync.aligned<lay><sh>{<space>}.f16", "lay=layout; sh=wmma_shape; space=matrix_space", "",
     "p:addr(i32), r:svec(4, f16x2), stride:val(i32)?", {6, 3}, "sm_70+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.store.d.sync.aligned<lay><sh>{<space>}.f32", "lay=layout; sh=wmma_shape; space=matrix_space", "",
     "p:addr(i32), r:svec(8, f32), stride:val(i32)?", {6, 3}, "sm_70+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.store.d.sync.aligned<lay><sh>{<space>}.s32", "lay=layout; sh=wmma_shape; space=matrix_space", "",
     "p:addr(i32), r:svec(8, s32), stride:val(i32)?", {6, 3}, "sm_72+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.store.d.sync.aligned<lay>.m16n16k8{<space>}.f32", "lay=layout; space=matrix_space", "",
     "p:addr(i32), r:svec(8, f32), stride:val(i32)?", {7, 0}, "sm_80+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.store.d.sync.aligned<lay>.m8n8k4{<space>}.f64", "lay=layout; space=matrix_space", "",
     "p:addr(i32), r:svec(2, f64), stride:val(i32)?", {7, 0}, "sm_80+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.store.d.sync.aligned<lay><sh>{<space>}.s32", "lay=layout; sh=.m8n8k32|.m8n8k128; space=matrix_space", "",
     "p:addr(i32), r:svec(2, s32), stride:val(i32)?", {6, 3}, "sm_75+", ".shared::cta: 7.8", 3, "9.7.15.4"},
    {"wmma.mma.sync.aligned<al><bl><sh><D><C>", "al=layout; bl=layout; sh=wmma_shape; D=.f16|.f32; C=.f16|.f32", "",
     "d:dvec(D{.f16:4; .f32:8}, D{.f32:f32; .f16:f16x2}), a:svec(8, f16x2), b:svec(8, f16x2), c:svec(C{.f16:4; .f32:8}, C{.f32:f32; .f16:f16x2})", {6, 3}, "sm_70+",
     "", 2, "9.7.15.4"},
    {"wmma.mma.sync.aligned<al><bl><sh>.s32<A><B>.s32{.satfinite}", "al=layout; bl=layout; sh=wmma_shape; A=.s8|.u8; B=.s8|.u8", "A=.s8 => B=.s8; A=.u8 => B=.u8",
     "d:dvec(8, s32), a:svec(sh{.m16n16k16:2; .m8n32k16:1; .m32n8k16:4}, int(b32)), b:svec(sh{.m16n16k16:2; .m8n32k16:4; .m32n8k16:1}, int(b32)), c:svec(8, s32)", {6, 3}, "sm_72+",
     "", 2, "9.7.15.4"},
    {"wmma.mma.sync.aligned<al><bl><sh>.f32.bf16.bf16.f32", "al=layout; bl=layout; sh=wmma_shape", "",
     "d:dvec(8, f32), a:svec(sh{.m16n16k16:4; .m8n32k16:2; .m32n8k16:8}, =b32), b:svec(sh{.m16n16k16:4; .m8n32k16:8; .m32n8k16:2}, =b32), c:svec(8, f32)", {7, 0}, "sm_80+",
     "", 2, "9.7.15.4"},
    {"wmma.mma.sync.aligned<al><bl>.m16n16k8.f32.tf32.tf32.f32", "al=layout; bl=layout", "",
     "d:dvec(8, f32), a:svec(4, =b32), b:svec(4, =b32), c:svec(8, f32)", {7, 0}, "sm_80+", "", 2, "9.7.15.4"},
    {"wmma.mma.sync.aligned<al><bl>.m8n8k4{<rnd>}.f64.f64.f64.f64", "al=layout; bl=layout", "",
     "d:dvec(2, bits(f64)), a:svec(1, f64), b:svec(1, f64), c:svec(2, bits(f64))", {7, 0}, "sm_80+", "", 2, "9.7.15.4"},
    {"wmma.mma.sync.aligned.row.col.m8n8k32.s32<A><B>.s32{.satfinite}", "A=.s4|.u4; B=.s4|.u4", "A=.s4 => B=.s4; A=.u4 => B=.u4",
     "d:dvec(2, s32), a:svec(1, int(b32)), b:svec(1, int(b32)), c:svec(2, s32)", {6, 3}, "sm_75+", "", 2, "9.7.15.4"},
    {"wmma.mma(.xor|.and).popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", "", "",
     "d:dvec(2, s32), a:svec(1, int(b32)), b:svec(1, int(b32)), c:svec(2, s32)", {6, 3}, "sm_75+", ".and: 7.1 sm_80+", 3, "9.7.15.4"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> WmmaInstructions() { return kWmma; }

}  // namespace ptxfarm::ptx::isa
