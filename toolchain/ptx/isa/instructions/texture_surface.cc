// PTX ISA 9.4 §9.7.11 textures, §9.7.12 surfaces.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kTextureSurface[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.11.3 tex
    {"tex<geo>.v4<D><C>", "geo=geo_ms; D=.u32|.s32|.f32|.f16; C=.s32|.f32", "geo=.cube|.acube => C=.f32; geo=.2dms|.a2dms => C=.s32",
     "d:dvec_(4, D)|pdst?, tex:tex_coords(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d|.2dms|.a2dms, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {1, 0}, "all",
     ".1d|.2d: 1.2; .2dms|.a2dms: 3.2 sm_30+; .a1d|.a2d: 2.3; .acube: 3.0 sm_20+; .cube: 3.0; .f16: 4.2 sm_53+; operand e: 4.3 sm_30+; operand d |pred: 7.1 sm_60+; operand tex as register: 3.1 sm_20+", 1, "9.7.11.3"},
    {"tex.base<geo>.v4<D><C>", "D=.u32|.s32|.f32|.f16; C=.s32|.f32", "geo=.cube|.acube => C=.f32",
     "d:dvec_(4, D)|pdst?, tex:tex_coords(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {3, 1}, "sm_20+",
     ".f16: 4.2 sm_53+; operand e: 4.3 sm_30+; operand f: 4.3 sm_30+; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex.level<geo>.v4<D><C>", "D=.u32|.s32|.f32|.f16; C=.s32|.f32", "geo=.cube|.acube => C=.f32",
     "d:dvec_(4, D)|pdst?, tex:tex_coords(C), lod:val(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {3, 1}, "sm_20+",
     ".f16: 4.2 sm_53+; operand e: 4.3 sm_30+; operand f: 4.3 sm_30+; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex.grad<geo>.v4<D>.f32", "D=.u32|.s32|.f32|.f16", "",
     "d:dvec_(4, D)|pdst?, tex:tex_coords(f32), dPdx:grad_vec(f32), dPdy:grad_vec(f32), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube", {3, 1}, "sm_20+",
     ".acube|.cube: 4.3; .f16: 4.2 sm_53+; operand e: 4.3 sm_30+; operand f: 4.3 sm_30+; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex<geo>.v2.f16x2<C>", "geo=geo_ms; C=.s32|.f32", "geo=.cube|.acube => C=.f32; geo=.2dms|.a2dms => C=.s32",
     "d:dvec_(2, f16x2)|pdst?, tex:tex_coords(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d|.2dms|.a2dms, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {4, 2}, "sm_53+",
     "operand e: 4.3; operand f: 4.3; operand d |pred: 7.1 sm_60+", 1, "9.7.11.3"},
    {"tex.base<geo>.v2.f16x2<C>", "C=.s32|.f32", "geo=.cube|.acube => C=.f32",
     "d:dvec_(2, f16x2)|pdst?, tex:tex_coords(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {4, 2}, "sm_53+",
     "operand e: 4.3; operand f: 4.3; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex.level<geo>.v2.f16x2<C>", "C=.s32|.f32", "geo=.cube|.acube => C=.f32",
     "d:dvec_(2, f16x2)|pdst?, tex:tex_coords(C), lod:val(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {4, 2}, "sm_53+",
     "operand e: 4.3; operand f: 4.3; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex.grad<geo>.v2.f16x2.f32", "", "",
     "d:dvec_(2, f16x2)|pdst?, tex:tex_coords(f32), dPdx:grad_vec(f32), dPdy:grad_vec(f32), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube", {4, 2}, "sm_53+",
     ".acube|.cube: 4.3; operand e: 4.3; operand f: 4.3; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex<geo>.v4<D><C>", "geo=geo_ms; D=.u32|.s32|.f32|.f16; C=.s32|.f32", "geo=.cube|.acube => C=.f32; geo=.2dms|.a2dms => C=.s32",
     "d:dvec_(4, D)|pdst?, texsampler:tex_sampler_coords(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d|.2dms|.a2dms, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {1, 0}, "all",
     ".2dms|.a2dms: 3.2 sm_30+; .a1d|.a2d: 2.3; .acube: 3.0 sm_20+; .cube: 3.0; .f16: 4.2 sm_53+; operand e: 4.3 sm_30+; operand f: 4.3 sm_30+; operand texsampler as register: 4.3 sm_30+; operand d |pred: 7.1 sm_60+", 1, "9.7.11.3"},
    {"tex.base<geo>.v4<D><C>", "D=.u32|.s32|.f32|.f16; C=.s32|.f32", "geo=.cube|.acube => C=.f32",
     "d:dvec_(4, D)|pdst?, texsampler:tex_sampler_coords(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {3, 1}, "sm_20+",
     ".f16: 4.2 sm_53+; operand e: 4.3 sm_30+; operand f: 4.3 sm_30+; operand texsampler as register: 4.3 sm_30+; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex.level<geo>.v4<D><C>", "D=.u32|.s32|.f32|.f16; C=.s32|.f32", "geo=.cube|.acube => C=.f32",
     "d:dvec_(4, D)|pdst?, texsampler:tex_sampler_coords(C), lod:val(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {3, 1}, "sm_20+",
     ".f16: 4.2 sm_53+; operand e: 4.3 sm_30+; operand f: 4.3 sm_30+; operand texsampler as register: 4.3 sm_30+; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex.grad<geo>.v4<D>.f32", "D=.u32|.s32|.f32|.f16", "",
     "d:dvec_(4, D)|pdst?, texsampler:tex_sampler_coords(f32), dPdx:grad_vec(f32), dPdy:grad_vec(f32), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube", {3, 1}, "sm_20+",
     ".acube|.cube: 4.3; .f16: 4.2 sm_53+; operand e: 4.3 sm_30+; operand f: 4.3 sm_30+; operand texsampler as register: 4.3 sm_30+; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex<geo>.v2.f16x2<C>", "geo=geo_ms; C=.s32|.f32", "geo=.cube|.acube => C=.f32; geo=.2dms|.a2dms => C=.s32",
     "d:dvec_(2, f16x2)|pdst?, texsampler:tex_sampler_coords(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d|.2dms|.a2dms, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {4, 2}, "sm_53+",
     "operand e: 4.3; operand f: 4.3; operand texsampler as register: 4.3; operand d |pred: 7.1 sm_60+", 1, "9.7.11.3"},
    {"tex.base<geo>.v2.f16x2<C>", "C=.s32|.f32", "geo=.cube|.acube => C=.f32",
     "d:dvec_(2, f16x2)|pdst?, texsampler:tex_sampler_coords(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {4, 2}, "sm_53+",
     "operand e: 4.3; operand f: 4.3; operand texsampler as register: 4.3; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex.level<geo>.v2.f16x2<C>", "C=.s32|.f32", "geo=.cube|.acube => C=.f32",
     "d:dvec_(2, f16x2)|pdst?, texsampler:tex_sampler_coords(C), lod:val(C), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube & C=.f32", {4, 2}, "sm_53+",
     "operand e: 4.3; operand f: 4.3; operand texsampler as register: 4.3; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    {"tex.grad<geo>.v2.f16x2.f32", "", "",
     "d:dvec_(2, f16x2)|pdst?, texsampler:tex_sampler_coords(f32), dPdx:grad_vec(f32), dPdy:grad_vec(f32), e:offset_vec(s32)? @ geo=.1d|.2d|.3d|.a1d|.a2d, f:val(f32)? @ geo=.1d|.2d|.a1d|.a2d|.cube|.acube", {4, 2}, "sm_53+",
     ".acube|.cube: 4.3; operand e: 4.3; operand f: 4.3; operand texsampler as register: 4.3; operand d |pred: 7.1 sm_60+", 2, "9.7.11.3"},
    // §9.7.11.4 tld4
    {"tld4(.r|.g|.b|.a)<geo>.v4<D>.f32", "geo=.2d|.a2d|.cube|.acube; D=.u32|.s32|.f32", "",
     "d:dvec_(4, D)|pdst?, tex:tex_coords(f32), e:offset_vec(s32)? @ geo=.2d|.a2d, f:val(f32)?", {2, 2}, "sm_20+",
     ".a2d|.acube|.cube: 4.3 sm_30+; operand e: 4.3 sm_30+; operand f: 4.3 sm_30+; operand d |pred: 7.1 sm_60+; operand tex as register: 3.1", 1, "9.7.11.4"},
    {"tld4(.r|.g|.b|.a)<geo>.v4<D>.f32", "geo=.2d|.a2d|.cube|.acube; D=.u32|.s32|.f32", "",
     "d:dvec_(4, D)|pdst?, texsampler:tex_sampler_coords(f32), e:offset_vec(s32)? @ geo=.2d|.a2d, f:val(f32)?", {2, 2}, "sm_20+",
     ".a2d|.acube|.cube: 4.3 sm_30+; operand e: 4.3 sm_30+; operand f: 4.3 sm_30+; operand texsampler as register: 4.3 sm_30+; operand d |pred: 7.1 sm_60+", 1, "9.7.11.4"},
    // §9.7.11.5 txq
    {"txq(.width|.height|.depth|.channel_data_type|.channel_order|.normalized_coords|.array_size|.num_mipmap_levels|.num_samples).b32", "", "",
     "d:dst(b32), a:texref", {1, 5}, "all",
     ".array_size: 4.1; .channel_data_type|.channel_order: 2.1; .num_mipmap_levels: 4.1 sm_20+; .num_samples: 4.1 sm_30+; operand a as register: 3.1 sm_20+", 1, "9.7.11.5"},
    {"txq.level(.width|.height|.depth).b32", "", "", "d:dst(b32), a:texref, lod:val(u32)", {4, 3}, "sm_30+", "", 2, "9.7.11.5"},
    {"txq(.filter_mode|.addr_mode_0|.addr_mode_1|.addr_mode_2).b32", "", "",
     "d:dst(b32), a:texref", {1, 5}, "all", "operand a as register: 3.1 sm_20+", 1, "9.7.11.5"},
    {"txq(.force_unnormalized_coords|.filter_mode|.addr_mode_0|.addr_mode_1|.addr_mode_2).b32", "", "",
     "d:dst(b32), a:samplerref", {1, 5}, "all", ".force_unnormalized_coords: 2.2", 1, "9.7.11.5"},
    // §9.7.11.6 istypep
    {"istypep(.texref|.samplerref|.surfref)", "", "", "p:pdst, a:val(u64)", {4, 0}, "sm_30+", "", 1, "9.7.11.6"},
    // §9.7.12.1 suld
    {"suld.b<geo>{.ca|.cg|.cs|.cv}{.v2|.v4}<T><clamp>", "geo=.1d|.2d|.3d|.a1d|.a2d; T=.b8|.b16|.b32|.b64", ".v4 => T=.b8|.b16|.b32",
     "d:dvec(vec, T+), s:surf_coords(s32)", {1, 5}, "all",
     ".3d|.a1d|.a2d: 3.0 sm_20+; .ca|.cg|.cs|.cv: 2.0 sm_20+; .clamp|.zero: 2.0; operand s as register: 3.1 sm_20+", 2, "9.7.12.1"},
    // §9.7.12.2 sust
    {"sust.b<geo>{<cache>}{.v2|.v4}<T><clamp>", "geo=.1d|.2d|.3d|.a1d|.a2d; T=.b8|.b16|.b32|.b64; cache=st_cache", ".v4 => T=.b8|.b16|.b32",
     "s:surf_coords(s32), c:svec(vec, T+)", {1, 5}, "all",
     ".3d|.a1d|.a2d: 3.0 sm_20+; cache: 2.0 sm_20+; .clamp|.zero: 2.0; operand s as register: 3.1 sm_20+", 2, "9.7.12.2"},
    {"sust.p(.1d|.2d|.3d){.v2|.v4}.b32<clamp>", "", "",
     "s:surf_coords(s32), c:svec(vec, b32+)", {2, 0}, "sm_20+", ".3d: 3.0; operand s as register: 3.1", 2, "9.7.12.2"},
    // §9.7.12.3 sured
    {"sured.b<op>(.1d|.2d|.3d)<T><clamp>", "op=.add|.min|.max|.and|.or; T=.u32|.u64|.s32|.b32|.s64", "op=.and|.or => T=.b32; T=.b32 => op=.and|.or; op=.add => T=.u32|.s32|.u64",
     "s:surf_coords(s32), c:val(T+)", {2, 0}, "sm_20+",
     ".3d: 3.0; .s64: 8.1 sm_50+; .max & .u64: 8.1 sm_50+; .min & .u64: 8.1 sm_50+; operand s as register: 3.1", 2, "9.7.12.3"},
    {"sured.p<op>(.1d|.2d|.3d)<T><clamp>", "op=.add|.min|.max|.and|.or; T=bits32_64", "T=.b64 => op=.min|.max",
     "s:surf_coords(s32), c:val(T+)", {2, 0}, "sm_20+", ".3d: 3.0; .b64: 8.1 sm_50+; operand s as register: 3.1", 2, "9.7.12.3"},
    // §9.7.12.4 suq
    {"suq(.width|.height|.depth|.channel_data_type|.channel_order|.array_size|.memory_layout).b32", "", "",
     "d:dst(b32), a:surfref", {1, 5}, "all",
     ".array_size: 4.1; .channel_data_type|.channel_order: 2.1; .memory_layout: 4.2; operand a as register: 3.1 sm_20+", 1, "9.7.12.4"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> TextureSurfaceInstructions() { return kTextureSurface; }

}  // namespace ptxfarm::ptx::isa
