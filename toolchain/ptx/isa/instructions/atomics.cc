// PTX ISA 9.4 §9.7.14.5–9.7.14.8 atomic operations and reductions.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kAtomics[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.14.5 atom
    {"atom{<order>}{<scope>}{<space>}<op>{.L2::cache_hint}<T>", "op=reduce; T=word_float; space=atom_space", "op=.and|.or|.xor => T=.b32|.b64; T=.b32|.b64 => op=.and|.or|.xor; op=.inc|.dec => T=.u32; op=.add => T=.u32|.s32|.u64|.f32|.f64; op=.min|.max => T=.u32|.s32|.u64|.s64; .L2::cache_hint => space=-|.global",
     "d:dst_(T), a:addr, b:val(T), pol:val(int(b64)) @ .L2::cache_hint", {1, 0}, "sm_11+",
     ".L2::cache_hint: 7.4 sm_80+; order: 6.0 sm_70+; .b64|.s64: 3.1 sm_32+; .max & .u64: 3.1 sm_32+; .min & .u64: 3.1 sm_32+; .cluster|.shared::cluster: 7.8 sm_90+; .cta|.f64|.gpu|.sys: 5.0 sm_60+; .f32: 2.0 sm_20+; space=-: 2.0 sm_20+; .shared: sm_12+; .shared::cta: 7.8 sm_12+; .u64: 1.2 sm_12+; .shared::cta & .u64: sm_20+", 1, "9.7.14.5"},
    {"atom{<order>}{<scope>}{<space>}.exch{.L2::cache_hint}<T>", "T=bits32_64; space=atom_space", ".L2::cache_hint => space=-|.global",
     "d:dst_(T), a:addr, b:val(T), pol:val(int(b64)) @ .L2::cache_hint", {1, 0}, "sm_11+",
     ".L2::cache_hint: 7.4 sm_80+; order: 6.0 sm_70+; .b64: 1.2 sm_12+; .cluster|.shared::cluster: 7.8 sm_90+; .cta|.gpu|.sys: 5.0 sm_60+; .shared: sm_12+; .shared::cta: 7.8 sm_12+; space=-: 2.0 sm_20+; .b64 & .shared: 2.0 sm_20+; .b64 & .shared::cta: sm_20+", 1, "9.7.14.5"},
    {"atom{<order>}{<scope>}{<space>}.exch{.L2::cache_hint}.b128", "space=atom_space", ".L2::cache_hint => space=-|.global",
     "d:dst_(b128), a:addr, b:val(b128), pol:val(int(b64)) @ .L2::cache_hint", {8, 3}, "sm_90+", ".sys: 8.4", 1, "9.7.14.5"},
    {"atom{<order>}{<scope>}{<space>}.cas<T>", "T=bits; space=atom_space", "",
     "d:dst_(T), a:addr, b:val(T), c:val(T)", {1, 0}, "sm_11+",
     "order: 6.0 sm_70+; .b16: 6.3 sm_70+; .b64: 1.2 sm_12+; .cluster|.shared::cluster: 7.8 sm_90+; .cta|.gpu|.sys: 5.0 sm_60+; .shared: sm_12+; .shared::cta: 7.8 sm_12+; space=-: 2.0 sm_20+; .b64 & .shared: 2.0 sm_20+; .b64 & .shared::cta: sm_20+", 1, "9.7.14.5"},
    {"atom{<order>}{<scope>}{<space>}.cas.b128", "space=atom_space", "",
     "d:dst_(b128), a:addr, b:val(b128), c:val(b128)", {8, 3}, "sm_90+", ".sys: 8.4", 1, "9.7.14.5"},
    {"atom{<order>}{<scope>}{<space>}.add.noftz{.L2::cache_hint}<T>", "T=half; space=atom_space", ".L2::cache_hint => space=-|.global",
     "d:dst_(T), a:addr, b:reg(T), pol:val(int(b64)) @ .L2::cache_hint", {6, 2}, "sm_60+",
     ".L2::cache_hint: 7.4 sm_80+; order: sm_70+; .bf16|.bf16x2|.cluster|.shared::cluster: 7.8 sm_90+; .f16: 6.3 sm_70+; .shared::cta: 7.8", 1, "9.7.14.5"},
    {"atom{<order>}{<scope>}{.global}.add{.L2::cache_hint}(.v2|.v4).f32", "", "",
     "d:dvec(vec, bits(f32)), a:addr, b:svec(vec, bits(f32)), pol:val(int(b64)) @ .L2::cache_hint", {8, 1}, "sm_90+", "", 1, "9.7.14.5"},
    {"atom{<order>}{<scope>}{.global}<op>.noftz{.L2::cache_hint}(.v2|.v4|.v8)<T>", "T=.f16|.bf16; op=merge", "",
     "d:dvec(vec, T), a:addr, b:svec(vec, T), pol:val(int(b64)) @ .L2::cache_hint", {8, 1}, "sm_90+", "", 1, "9.7.14.5"},
    {"atom{<order>}{<scope>}{.global}<op>.noftz{.L2::cache_hint}(.v2|.v4)<T>", "T=.f16x2|.bf16x2; op=merge", "",
     "d:dvec(vec, T), a:addr, b:svec(vec, T), pol:val(int(b64)) @ .L2::cache_hint", {8, 1}, "sm_90+", "", 1, "9.7.14.5"},
    {"atom{<order>}{<scope>}{.global}.add.noftz{.L2::cache_hint}{.v2|.v4}.f32", "", "",
     "d:dvec_(vec, f32), a:addr(i32), b:svec(vec, f32), pol:val(int(b64)) @ .L2::cache_hint", {9, 4}, "sm_90+", "", 1, "9.7.14.5", "", "reported only"},
    // §9.7.14.6 red
    {"red{.relaxed|.release}{<scope>}{<space>}<op>{.L2::cache_hint}<T>", "op=reduce; T=word_float; space=atom_space", "op=.and|.or|.xor => T=.b32|.b64; T=.b32|.b64 => op=.and|.or|.xor; op=.inc|.dec => T=.u32; op=.add => T=.u32|.s32|.u64|.f32|.f64; op=.min|.max => T=.u32|.s32|.u64|.s64; .L2::cache_hint => space=-|.global",
     "a:addr, b:val(T), pol:val(int(b64)) @ .L2::cache_hint", {1, 2}, "sm_11+",
     ".L2::cache_hint: 7.4 sm_80+; .add: 2.0; .b64|.s64: 3.1 sm_32+; .max & .u64: 3.1 sm_32+; .min & .u64: 3.1 sm_32+; .cluster|.shared::cluster: 7.8 sm_90+; .cta|.f64|.gpu|.sys: 5.0 sm_60+; .f32|.u64: sm_20+; .relaxed|.release: 6.0 sm_70+; .shared: sm_12+; .shared::cta: 7.8 sm_12+; space=-: 2.0 sm_20+", 1, "9.7.14.6"},
    {"red{.relaxed|.release}{<scope>}{<space>}.add.noftz{.L2::cache_hint}<T>", "T=half; space=atom_space", ".L2::cache_hint => space=-|.global",
     "a:addr, b:reg(T), pol:val(int(b64)) @ .L2::cache_hint", {6, 2}, "sm_60+",
     ".L2::cache_hint: 7.4 sm_80+; .bf16|.bf16x2|.cluster|.shared::cluster: 7.8 sm_90+; .f16: 6.3 sm_70+; .relaxed|.release: sm_70+; .shared::cta: 7.8", 1, "9.7.14.6"},
    {"red{.relaxed|.release}{<scope>}{.global}.add{.L2::cache_hint}(.v2|.v4).f32", "", "",
     "a:addr, b:svec(vec, bits(f32)), pol:val(int(b64)) @ .L2::cache_hint", {8, 1}, "sm_90+", "", 1, "9.7.14.6"},
    {"red{.relaxed|.release}{<scope>}{.global}<op>.noftz{.L2::cache_hint}(.v2|.v4|.v8)<T>", "T=.f16|.bf16; op=merge", "",
     "a:addr, b:svec(vec, T), pol:val(int(b64)) @ .L2::cache_hint", {8, 1}, "sm_90+", "", 1, "9.7.14.6"},
    {"red{.relaxed|.release}{<scope>}{.global}<op>.noftz{.L2::cache_hint}(.v2|.v4)<T>", "T=.f16x2|.bf16x2; op=merge", "",
     "a:addr, b:svec(vec, T), pol:val(int(b64)) @ .L2::cache_hint", {8, 1}, "sm_90+", "", 1, "9.7.14.6"},
    {"red{.relaxed|.release}{<scope>}{.global}.add.noftz{.L2::cache_hint}{.v2|.v4}.f32", "", "",
     "a:addr(i32), b:svec(vec, f32), pol:val(int(b64)) @ .L2::cache_hint", {9, 4}, "sm_90+", "", 1, "9.7.14.6", "", "reported only"},
    // §9.7.14.7 red
    {"red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes<op><T>", "op=reduce; T=.u32|.s32|.b32|.u64", "op=.inc|.dec => T=.u32; op=.min|.max => T=.u32|.s32; op=.and|.or|.xor => T=.b32; op=.add => T=.u32|.s32|.u64",
     "a:addr(i32), b:val(T), mbar:addr(i32)", {8, 1}, "sm_90+", "", 2, "9.7.14.7"},
    {"red.async{.mmio}.release(.gpu|.sys){.global}.add<T>", "T=.u32|.s32|.u64|.s64", "", "a:addr(i32), b:val(T)", {8, 7}, "sm_100+", "", 2, "9.7.14.7"},
    // §9.7.14.8 multimem
    {"multimem.red.async.release(.gpu|.sys){.global}.add<T>", "T=.u32|.s32|.u64", "", "a:addr(i32), b:reg(T)", {9, 3}, "sm_100+", "", 1, "9.7.14.8"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> AtomicsInstructions() { return kAtomics; }

}  // namespace ptxfarm::ptx::isa
