// PTX ISA 9.4 §9.7.9.22–9.7.9.23 conversions.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kConvert[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.9.22 cvt
    {"cvt{.sat}<D><S>", "D=int8_64; S=int8_64", "!(.sat & D=.u8 & S=.u8); !(.sat & D=.u16 & S=.u8|.u16); !(.sat & D=.u32 & S=.u8|.u16|.u32); !(.sat & D=.u64 & S=.u8|.u16|.u32|.u64); !(.sat & D=.s8 & S=.s8); !(.sat & D=.s16 & S=.u8|.s8|.s16); !(.sat & D=.s32 & S=.u8|.u16|.s8|.s16|.s32); !(.sat & D=.s64 & S=.u8|.u16|.u32|.s8|.s16|.s32|.s64)",
     "d:dst(D+), a:sval(S+)", {1, 0}, "all", "", 1, "9.7.9.22"},
    {"cvt<rnd>{.ftz}{.sat}<D><S>", "D=int8_64; S=float; rnd=rint", ".ftz => S=.f32",
     "d:dst(D+), a:val(S+)", {1, 0}, "all", ".ftz: 1.4; .ftz & .s64: 1.5; .ftz & .u64: 1.5", 1, "9.7.9.22"},
    {"cvt<rnd>{.ftz}{.sat}<D><S>", "D=float; S=int8_64", ".ftz => D=.f32",
     "d:dst(D+), a:val(S+)", {1, 0}, "all", ".ftz: 1.4; .ftz & .s8: 1.5; .ftz & .u8: 1.5", 1, "9.7.9.22"},
    {"cvt{.ftz}{.sat}<D><S>", "D=float; S=float", "D=.f16 => S=.f16; D=.f32 => S=.f16|.f32; !(.ftz & D=.f16); !(.ftz & D=.f64 & S=.f16|.f64)",
     "d:dst(D+), a:val(S+)", {1, 0}, "all", ".ftz: 1.4; .f64 & .ftz: 1.5", 1, "9.7.9.22"},
    {"cvt<rnd>{.ftz}{.sat}<D><S>", "D=float; S=float; rnd=rint", "D=.f16 => S=.f16; D=.f32 => S=.f32; .ftz => S=.f32; D=.f64 => S=.f64",
     "d:dst(D+), a:val(S+)", {1, 0}, "all", ".ftz: 1.4", 1, "9.7.9.22"},
    {"cvt<rnd>{.ftz}{.sat}<D><S>", "D=.f16|.f32; S=.f32|.f64", "D=.f32 => S=.f64; !(.ftz & D=.f16 & S=.f64)",
     "d:dst(D+), a:val(S+)", {1, 0}, "all", ".ftz: 1.4", 1, "9.7.9.22"},
    {"cvt<rnd>.bf16<S>", "S=.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64|.f64", "", "d:dst(bf16), a:val(S)", {7, 8}, "sm_90+", "", 1, "9.7.9.22"},
    {"cvt{<rnd>}.bf16.f16", "", "", "d:dst(bf16), a:reg(f16)", {7, 8}, "sm_90+", "", 1, "9.7.9.22", "", "the manual asks for the rounding modifier"},
    {"cvt(.rn|.rz){.relu}{.satfinite}.bf16.f32", "", "", "d:dst(bf16), a:val(f32)", {7, 0}, "sm_80+", ".satfinite: 8.1", 1, "9.7.9.22"},
    {"cvt<rnd>{.ftz}.bf16.f32", "", "", "d:dst(bf16), a:val(f32)", {7, 0}, "sm_80+", "", 1, "9.7.9.22", "", "the manual has .rn and .rz without .ftz"},
    {"cvt<rnd><D>.bf16", "D=int8_64; rnd=rint", "", "d:dst(D), a:reg(bf16)", {7, 8}, "sm_90+", "", 1, "9.7.9.22"},
    {"cvt{<rnd>}{.ftz}.f32.bf16", "", "", "d:dst(f32), a:reg(bf16)", {7, 1}, "sm_80+", ".ftz: 7.8 sm_90+", 1, "9.7.9.22", "", "the manual has no rounding modifier"},
    {"cvt{<rnd>}<D>.bf16", "D=.f16|.f64", "", "d:dst(D), a:reg(bf16)", {7, 8}, "sm_90+", "", 1, "9.7.9.22"},
    {"cvt{<rnd>}.bf16.bf16", "rnd=rint", "", "d:dst(bf16), a:reg(bf16)", {7, 8}, "sm_90+", "", 1, "9.7.9.22"},
    {"cvt(.rn|.rz){.relu}{.satfinite}.f16.f32", "", "", "d:dst(f16+), a:val(f32+)", {1, 0}, "all", ".relu: 7.0 sm_80+; .satfinite: 8.1 sm_70+", 1, "9.7.9.22"},
    {"cvt(.rn|.rz){.relu}{.satfinite}<D>.f32", "D=.f16x2|.bf16x2", "", "d:dst(D), a:val(f32), b:val(f32)", {7, 0}, "sm_80+", ".satfinite: 8.1", 1, "9.7.9.22"},
    {"cvt.rs{.relu}{.satfinite}<D>.f32", "D=.f16x2|.bf16x2", "",
     "d:dst(D), a:val(f32), b:val(f32), rbits:reg(raw(b32))", {8, 7}, "sm_100a|sm_103a", "", 1, "9.7.9.22"},
    {"cvt.rna{.satfinite}.tf32.f32", "", "", "d:dst(tf32), a:reg(f32)", {7, 0}, "sm_80+", ".satfinite: 8.1", 1, "9.7.9.22"},
    {"cvt(.rn|.rz){.satfinite}{.relu}.tf32.f32", "", "", "d:dst(tf32), a:val(f32)", {7, 8}, "sm_90+", ".satfinite: 8.6 sm_100+", 1, "9.7.9.22"},
    {"cvt.rn.satfinite{.relu}<D>.f32", "D=fp8x2", "", "d:dst(D), a:val(f32), b:val(f32)", {7, 8}, "sm_89+", "on sm_89: 8.1", 1, "9.7.9.22"},
    {"cvt.rn.satfinite{.relu}<D>.f16x2", "D=fp8x2", "", "d:dst(D), a:reg(f16x2)", {7, 8}, "sm_89+", "on sm_89: 8.1", 1, "9.7.9.22"},
    {"cvt.rn.satfinite{.relu}<D>.bf16x2", "D=fp8x2", "", "d:dst(D), a:reg(bf16x2)", {9, 1}, "sm_100f+|sm_110f+|sm_120f+", "", 1, "9.7.9.22"},
    {"cvt.rn{.relu}.f16x2<S>", "S=fp8x2", "", "d:dst(f16x2), a:reg(S)", {7, 8}, "sm_89+", "on sm_89: 8.1", 1, "9.7.9.22"},
    {"cvt.rn{.relu}{.satfinite}{.scaled::n2::ue8m0}.bf16x2<S>", "S=fp8_6_4x2", "",
     "d:dst(bf16x2), a:reg(S), sf:reg(b16) @ .scaled::n2::ue8m0", {9, 2}, "sm_100f+|sm_110f+|sm_120f+", "", 1, "9.7.9.22"},
    {"cvt.rs{.relu}.satfinite<D>.f32", "D=fp8_6_4x4", "", "d:dst(D), a:svec(4, f32), rbits:reg(raw(b32))", {8, 7}, "sm_100a|sm_103a", "", 1, "9.7.9.22"},
    {"cvt.rn.satfinite{.relu}<D>.f32", "D=fp6x2", "", "d:dst(D), a:val(f32), b:val(f32)", {8, 6}, "sm_100f+|sm_120f+|sm_110f+", "", 1, "9.7.9.22"},
    {"cvt.rn.satfinite{.relu}<D><S>", "D=fp6x2; S=.f16x2|.bf16x2", "", "d:dst(D), a:reg(S)", {9, 1}, "sm_100f+|sm_110f+|sm_120f+", "", 1, "9.7.9.22"},
    {"cvt.rn{.relu}.f16x2<S>", "S=fp6x2", "", "d:dst(f16x2), a:reg(S)", {8, 6}, "sm_100f+|sm_120f+|sm_110f+", "", 1, "9.7.9.22"},
    {"cvt(.rz|.rp){.satfinite}.ue8m0x2.f32", "", "", "d:dst(ue8m0x2), a:val(f32), b:val(f32)", {8, 6}, "sm_100f+|sm_120f+|sm_110f+", "", 1, "9.7.9.22"},
    {"cvt(.rz|.rp){.satfinite}.ue8m0x2.bf16x2", "", "", "d:dst(ue8m0x2), a:reg(bits(bf16x2))", {8, 6}, "sm_100f+|sm_120f+|sm_110f+", "", 1, "9.7.9.22"},
    {"cvt.rn.bf16x2.ue8m0x2", "", "", "d:dst(bits(bf16x2)), a:reg(ue8m0x2)", {8, 6}, "sm_100f+|sm_120f+|sm_110f+", "", 1, "9.7.9.22"},
    {"cvt.rn.satfinite{.relu}{.scaled::n2::ue8m0}.s2f6x2.f32", "", "",
     "d:dst(b16), a:reg(f32), b:reg(f32), sf:reg(b16) @ .scaled::n2::ue8m0", {9, 1}, "sm_100a|sm_103a|sm_110a|sm_120a|sm_121a", "", 1, "9.7.9.22"},
    {"cvt.rn.satfinite{.relu}{.scaled::n2::ue8m0}.s2f6x2.bf16x2", "", "",
     "d:dst(b16), a:reg(bf16x2), sf:reg(b16) @ .scaled::n2::ue8m0", {9, 1}, "sm_100a|sm_103a|sm_110a|sm_120a|sm_121a", "", 1, "9.7.9.22"},
    {"cvt.rn{.satfinite}{.relu}{.scaled::n2::ue8m0}.bf16x2.s2f6x2", "", "",
     "d:dst(bf16x2), a:reg(b16), sf:reg(b16) @ .scaled::n2::ue8m0", {9, 1}, "sm_100a|sm_103a|sm_110a|sm_120a|sm_121a", "", 1, "9.7.9.22"},
    {"cvt(.rn|.rz){.relu}{.satfinite}.pzo<D>.f32", "D=.f16|.bf16|.f16x2|.bf16x2|.tf32", "",
     "d:dst(D), a:reg(f32), b:reg(f32) @ D=.f16x2|.bf16x2", {9, 4}, "sm_107f+", "", 1, "9.7.9.22", "", "reported only"},
    {"cvt(.rn|.rz).satfinite{.relu}{.pzo}{.scaled::n1::ue8m0}<D><S>", "D=fp8_6_4x2; S=.f32|.f16x2|.bf16x2", "",
     "d:dst(D), a:reg(S), b:reg(S) @ S=.f32, sf:reg(b8) @ .scaled::n1::ue8m0", {9, 4}, "sm_107f+",
     "", 1, "9.7.9.22", "", "reported only: rows without .rz/.pzo/.scaled exist earlier"},
    {"cvt(.rn|.rz|.rp){.satfinite}{.scaled::n1::ue8m0}.ue5m3x2<S>", "S=.f32|.f16x2|.bf16x2", ".rp => !.scaled::n1::ue8m0",
     "d:dst(b16), a:reg(S), b:reg(S) @ S=.f32, sf:reg(b8) @ .scaled::n1::ue8m0", {9, 4}, "sm_107f+", "", 1, "9.7.9.22", "", "reported only"},
    {"cvt.rn.f16x2.ue5m3x2", "", "", "d:dst(f16x2), a:reg(b16)", {9, 4}, "sm_107f+", "", 1, "9.7.9.22", "", "reported only"},
    {"cvt.rn{.satfinite}{.scaled::n2::ue8m0}.bf16x2.ue5m3x2", "", "",
     "d:dst(bf16x2), a:reg(b16), sf:reg(b16) @ .scaled::n2::ue8m0", {9, 4}, "sm_107f+", "", 1, "9.7.9.22", "", "reported only"},
    // §9.7.9.23 cvt
    {"cvt.pack.sat(.u16|.s16).s32", "", "", "d:dst(i32|i64), a:val(s32+), b:val(s32+)", {6, 5}, "sm_72+", "", 2, "9.7.9.23"},
    {"cvt.pack.sat(.u2|.s2|.u4|.s4|.u8|.s8).s32.b32", "", "",
     "d:dst(i32|i64), a:val(s32+), b:val(s32+), c:val(b32+)", {6, 5}, "sm_72+", ".s2|.s4|.u2|.u4: sm_75+", 2, "9.7.9.23"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> ConvertInstructions() { return kConvert; }

}  // namespace ptxfarm::ptx::isa
