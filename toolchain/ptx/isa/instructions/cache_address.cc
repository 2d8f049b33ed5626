// PTX ISA 9.4 §9.7.9.16–9.7.9.21 cache control, §9.7.9.24–9.7.9.25 addresses.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kCacheAddress[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.9.16 prefetch, prefetchu
    {"prefetch{.global|.local}(.L1|.L2)",                  "", "", "a:addr",      {2, 0}, "sm_20+", "", 1, "9.7.9.16"},
    {"prefetch.global(.L2::evict_last|.L2::evict_normal)", "", "", "a:addr",      {7, 4}, "sm_80+", "", 1, "9.7.9.16"},
    {"prefetchu.L1",                                       "", "", "a:addr",      {2, 0}, "sm_20+", "", 1, "9.7.9.16"},
    {"prefetch{.const|.param}.tensormap",                  "", "", "a:addr(i32)", {8, 0}, "sm_90+", "", 1, "9.7.9.16"},
    {"prefetch{.global}.L1::32B.valid_addr",               "", "", "a:addr(i32)", {9, 4}, "sm_90+", "", 1, "9.7.9.16", "", "reported only"},
    // §9.7.9.17 applypriority
    {"applypriority{.global}.L2::evict_normal", "", "", "a:addr, size:imm(128)", {7, 4}, "sm_80+", "", 1, "9.7.9.17"},
    {"applypriority.async.bulk{.global}.bulk_group.L2::evict_normal", "", "",
     "a:addr(i32), size:val(u32)", {9, 4}, "sm_107f+", "", 1, "9.7.9.17", "", "reported only"},
    {"applypriority.async.bulk.tensor<dim>{.global}.bulk_group{.tile|.tile::gather4|.im2col|.im2col::w|.im2col::w::128}.L2::evict_normal", "", "",
     "a:tensor_addr(dim), im:im2col_vec @ .im2col|.im2col::w|.im2col::w::128", {9, 4}, "sm_107f+", "", 1, "9.7.9.17", "", "reported only"},
    // §9.7.9.18 discard
    {"discard{.global}.L2", "", "", "a:addr, size:imm(128)", {7, 4}, "sm_80+", "", 1, "9.7.9.18"},
    // §9.7.9.19 createpolicy
    {"createpolicy.range{.global}<p>{<s>}.b64", "p=.L2::evict_last|.L2::evict_normal|.L2::evict_first|.L2::evict_unchanged; s=.L2::evict_first|.L2::evict_unchanged", "",
     "pol:dst(int(b64)), a:addr(i32), psize:val(u32), tsize:val(u32)", {7, 4}, "sm_80+", "", 2, "9.7.9.19"},
    {"createpolicy.fractional<p>{<s>}.b64", "p=.L2::evict_last|.L2::evict_normal|.L2::evict_first|.L2::evict_unchanged; s=.L2::evict_first|.L2::evict_unchanged", "",
     "pol:dst(int(b64)), fraction:imm(0.0..1.0)?", {7, 4}, "sm_80+", "", 2, "9.7.9.19"},
    {"createpolicy.cvt.L2.b64", "", "", "pol:dst(int(b64)), prop:val(int(b64))", {7, 4}, "sm_80+", "", 2, "9.7.9.19"},
    // §9.7.9.20 isspacep
    {"isspacep<space>", "space=cvta_space", "",
     "p:pdst, a:reg(i32|i64)", {2, 0}, "sm_20+",
     ".const: 3.1; .param: 7.7 sm_70+; .param::entry: 8.3 sm_70+; .shared::cluster: 7.8 sm_90+; .shared::cta: 7.8", 1, "9.7.9.20"},
    // §9.7.9.21 cvta
    {"cvta<space>.u64", "space=cvta_space", "",
     "p:dst(u64), a:ptr(u64)", {2, 0}, "sm_20+",
     ".const: 3.1; .param: 7.7 sm_70+; .param::entry: 8.3 sm_70+; .shared::cluster: 7.8 sm_90+; .shared::cta: 7.8", 1, "9.7.9.21"},
    {"cvta.to<space>.u64", "space=cvta_space", "",
     "p:dst(u64), a:reg(u64)", {2, 0}, "sm_20+",
     ".const: 3.1; .param: 7.7 sm_70+; .param::entry: 8.3 sm_70+; .shared::cluster: 7.8 sm_90+; .shared::cta: 7.8", 2, "9.7.9.21"},
    // §9.7.9.24 mapa
    {"mapa{.shared::cluster}<T>", "T=.u32|.u64", "T=.u32 => .shared::cluster", "d:dst(T), a:val(T), b:val(u32)",     {7, 8}, "sm_90+", "", 1, "9.7.9.24"},
    {"mapa.u32",                  "",            "",                           "d:dst(u32), a:val(u32), b:val(u32)", {7, 8}, "sm_90+", "", 1, "9.7.9.24"},
    // §9.7.9.25 getctarank
    {"getctarank{.shared::cluster}<T>", "T=.u32|.u64", "T=.u32 => .shared::cluster", "d:dst(u32), a:val(T)",   {7, 8}, "sm_90+", "", 1, "9.7.9.25"},
    {"getctarank.u32",                  "",            "",                           "d:dst(u32), a:val(u32)", {7, 8}, "sm_90+", "", 1, "9.7.9.25"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> CacheAddressInstructions() { return kCacheAddress; }

}  // namespace ptxfarm::ptx::isa
