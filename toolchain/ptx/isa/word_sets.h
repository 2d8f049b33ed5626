// Sets of modifier words that many rows of the instruction table share.
#pragma once

#include <string_view>

namespace ptxfarm::ptx::isa {

struct WordSet {
  std::string_view name;
  std::string_view values;  // Words between '|'; `-` is none.
};

// clang-format off
inline constexpr WordSet kWordSets[] = {
    // Types.
    {"int",              ".u16|.u32|.u64|.s16|.s32|.s64"},
    {"int32",            ".u32|.s32"},
    {"int8_64",          ".u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64"},
    {"bits",             ".b16|.b32|.b64"},
    {"bits32_64",        ".b32|.b64"},
    {"word",             ".b32|.b64|.u32|.u64|.s32|.s64"},
    {"word_float",       ".b32|.b64|.u32|.u64|.s32|.s64|.f32|.f64"},
    {"scalar",           ".b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64"},
    {"memory",           ".b8|.b16|.b32|.b64|.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64|.f32|.f64"},
    {"upto32",           ".b8|.b16|.b32|.u8|.u16|.u32|.s8|.s16|.s32|.f32"},
    {"wide32",           ".b32|.u32|.s32|.f32"},
    {"wide64",           ".b64|.u64|.s64|.f64"},
    {"float",            ".f16|.f32|.f64"},
    {"half",             ".f16|.f16x2|.bf16|.bf16x2"},
    {"bulk",             ".f16|.bf16|.b32|.u32|.s32|.b64|.u64|.s64|.f32|.f64"},
    {"fp8",              ".e4m3|.e5m2"},
    {"fp8x2",            ".e4m3x2|.e5m2x2"},
    {"fp6x2",            ".e2m1x2|.e2m3x2|.e3m2x2"},
    {"fp8_6_4",          ".e4m3|.e5m2|.e3m2|.e2m3|.e2m1"},
    {"fp8_6_4x2",        ".e4m3x2|.e5m2x2|.e2m1x2|.e2m3x2|.e3m2x2"},
    {"fp8_6_4x4",        ".e4m3x4|.e5m2x4|.e2m3x4|.e3m2x4|.e2m1x4"},
    {"fp8_multimem",     ".e5m2|.e5m2x2|.e5m2x4|.e4m3|.e4m3x2|.e4m3x4"},
    // Operations and roundings.
    {"rnd",              ".rn|.rz|.rm|.rp"},
    {"rint",             ".rni|.rzi|.rmi|.rpi"},
    {"cmp",              ".eq|.ne|.lt|.le|.gt|.ge"},
    {"cmp_float",        ".eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan"},
    {"cmp_any",          ".eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan"},
    {"unsigned_only",    ".lo|.ls|.hi|.hs"},
    {"float_only",       ".equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan"},
    {"bool",             ".and|.or|.xor"},
    {"reduce",           ".and|.or|.xor|.add|.inc|.dec|.min|.max"},
    {"merge",            ".add|.min|.max"},
    // Memory.
    {"scope",            ".cta|.cluster|.gpu|.sys"},
    {"order",            ".relaxed|.acquire|.release|.acq_rel"},
    {"ld_space",         ".const|.global|.local|.param|.param::entry|.param::func|.shared|.shared::cta|.shared::cluster"},
    {"st_space",         ".global|.local|.param|.param::func|.shared|.shared::cta|.shared::cluster"},
    {"atom_space",       ".global|.shared|.shared::cta|.shared::cluster"},
    {"cvta_space",       ".const|.global|.local|.shared|.shared::cta|.shared::cluster|.param|.param::entry"},
    {"matrix_space",     ".global|.shared|.shared::cta"},
    {"ld_cache",         ".ca|.cg|.cs|.lu|.cv"},
    {"nc_cache",         ".ca|.cg|.cs"},
    {"st_cache",         ".wb|.cg|.cs|.wt"},
    {"L1",               ".L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate"},
    {"L2",               ".L2::evict_normal|.L2::evict_first|.L2::evict_last"},
    {"L2_fetch",         ".L2::64B|.L2::128B|.L2::256B"},
    // Textures, surfaces, tensors.
    {"geo",              ".1d|.2d|.3d|.a1d|.a2d|.cube|.acube"},
    {"geo_ms",           ".1d|.2d|.3d|.a1d|.a2d|.cube|.acube|.2dms|.a2dms"},
    {"dim",              ".1d|.2d|.3d|.4d|.5d"},
    {"dim3_5",           ".3d|.4d|.5d"},
    {"clamp",            ".trap|.clamp|.zero"},
    // Matrices.
    {"cta_group",        ".cta_group::1|.cta_group::2"},
    {"layout",           ".row|.col"},
    {"wmma_shape",       ".m16n16k16|.m8n32k16|.m32n8k16"},
    {"num",              ".x1|.x2|.x4|.x8|.x16|.x32|.x64|.x128"},
    {"num2",             ".x2|.x4|.x8|.x16|.x32|.x64|.x128"},
    {"collector_a",      ".collector::a::fill|.collector::a::use|.collector::a::lastuse|.collector::a::discard"},
    {"mx_kind",          ".kind::mxf8f6f4|.kind::mxf4|.kind::mxf4nvf4"},
    {"scale_vec",        "-|.scale_vec::1X|.scale_vec::2X|.scale_vec::4X|.block16|.block32"},
    {"m64_n_by_8_k16",   ".m64n8k16|.m64n16k16|.m64n24k16|.m64n32k16|.m64n40k16|.m64n48k16|.m64n56k16|.m64n64k16|.m64n72k16|.m64n80k16|.m64n88k16|"
                         ".m64n96k16|.m64n104k16|.m64n112k16|.m64n120k16|.m64n128k16|.m64n136k16|.m64n144k16|.m64n152k16|.m64n160k16|.m64n168k16|"
                         ".m64n176k16|.m64n184k16|.m64n192k16|.m64n200k16|.m64n208k16|.m64n216k16|.m64n224k16|.m64n232k16|.m64n240k16|.m64n248k16|"
                         ".m64n256k16"},
    {"m64_n_by_8_k8",    ".m64n8k8|.m64n16k8|.m64n24k8|.m64n32k8|.m64n40k8|.m64n48k8|.m64n56k8|.m64n64k8|.m64n72k8|.m64n80k8|.m64n88k8|.m64n96k8|"
                         ".m64n104k8|.m64n112k8|.m64n120k8|.m64n128k8|.m64n136k8|.m64n144k8|.m64n152k8|.m64n160k8|.m64n168k8|.m64n176k8|.m64n184k8|"
                         ".m64n192k8|.m64n200k8|.m64n208k8|.m64n216k8|.m64n224k8|.m64n232k8|.m64n240k8|.m64n248k8|.m64n256k8"},
    {"m64_n_by_8_k32",   ".m64n8k32|.m64n16k32|.m64n24k32|.m64n32k32|.m64n40k32|.m64n48k32|.m64n56k32|.m64n64k32|.m64n72k32|.m64n80k32|.m64n88k32|"
                         ".m64n96k32|.m64n104k32|.m64n112k32|.m64n120k32|.m64n128k32|.m64n136k32|.m64n144k32|.m64n152k32|.m64n160k32|.m64n168k32|"
                         ".m64n176k32|.m64n184k32|.m64n192k32|.m64n200k32|.m64n208k32|.m64n216k32|.m64n224k32|.m64n232k32|.m64n240k32|.m64n248k32|"
                         ".m64n256k32"},
    {"m64_n_by_16_k32",  ".m64n8k32|.m64n16k32|.m64n24k32|.m64n32k32|.m64n48k32|.m64n64k32|.m64n80k32|.m64n96k32|.m64n112k32|.m64n128k32|"
                         ".m64n144k32|.m64n160k32|.m64n176k32|.m64n192k32|.m64n208k32|.m64n224k32|.m64n240k32|.m64n256k32"},
    {"m64_n_by_8_k64",   ".m64n8k64|.m64n16k64|.m64n24k64|.m64n32k64|.m64n40k64|.m64n48k64|.m64n56k64|.m64n64k64|.m64n72k64|.m64n80k64|.m64n88k64|"
                         ".m64n96k64|.m64n104k64|.m64n112k64|.m64n120k64|.m64n128k64|.m64n136k64|.m64n144k64|.m64n152k64|.m64n160k64|.m64n168k64|"
                         ".m64n176k64|.m64n184k64|.m64n192k64|.m64n200k64|.m64n208k64|.m64n216k64|.m64n224k64|.m64n232k64|.m64n240k64|.m64n248k64|"
                         ".m64n256k64"},
    {"m64_n_by_16_k64",  ".m64n8k64|.m64n16k64|.m64n24k64|.m64n32k64|.m64n48k64|.m64n64k64|.m64n80k64|.m64n96k64|.m64n112k64|.m64n128k64|"
                         ".m64n144k64|.m64n160k64|.m64n176k64|.m64n192k64|.m64n208k64|.m64n224k64|.m64n240k64|.m64n256k64"},
    {"m64_n_by_16_k256", ".m64n8k256|.m64n16k256|.m64n24k256|.m64n32k256|.m64n48k256|.m64n64k256|.m64n80k256|.m64n96k256|.m64n112k256|.m64n128k256|"
                         ".m64n144k256|.m64n160k256|.m64n176k256|.m64n192k256|.m64n208k256|.m64n224k256|.m64n240k256|.m64n256k256"},
    {"collector_b",      ".collector::b0::fill|.collector::b0::use|.collector::b0::lastuse|.collector::b0::discard|.collector::b1::fill|"
                         ".collector::b1::use|.collector::b1::lastuse|.collector::b1::discard|.collector::b2::fill|.collector::b2::use|"
                         ".collector::b2::lastuse|.collector::b2::discard|.collector::b3::fill|.collector::b3::use|.collector::b3::lastuse|"
                         ".collector::b3::discard"},
};
// clang-format on

// The values of the shared set of that name; empty where there is none.
constexpr std::string_view SharedSet(std::string_view name) {
  for (const WordSet& set : kWordSets)
    if (set.name == name) return set.values;
  return {};
}

}  // namespace ptxfarm::ptx::isa
