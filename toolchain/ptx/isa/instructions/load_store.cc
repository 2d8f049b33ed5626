// PTX ISA 9.4 §9.7.9.8–9.7.9.14 loads and stores.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kLoadStore[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.9.8 ld
    {"ld{.weak}{<space>}{<cache>}{.L2::cache_hint}{<L2_fetch>}{.v2|.v4}<T>", "T=memory; space=ld_space; cache=ld_cache", ".v4 => T=upto32; .L2::cache_hint|L2_fetch => space=-|.global",
     "d:dvec(vec, T+), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {1, 0}, "all",
     ".L2::128B|.L2::64B: 7.4 sm_75+; .L2::256B|.L2::cache_hint: 7.4 sm_80+; .param::entry|.param::func: 8.3; .shared::cluster: 7.8 sm_90+; .shared::cta: 7.8; .weak: 6.0 sm_70+; space=-: 2.0 sm_20+", 1, "9.7.9.8"},
    {"ld{.weak}{<space>}{<L1>}{.L2::cache_hint}{<L2_fetch>}{.v2|.v4}<T>", "T=memory; space=ld_space", ".v4 => T=upto32; .L2::cache_hint|L2_fetch|L1 => space=-|.global",
     "d:dvec(vec, T+), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {1, 0}, "all",
     "L1: 7.4 sm_70+; .L2::128B|.L2::64B: 7.4 sm_75+; .L2::256B|.L2::cache_hint: 7.4 sm_80+; .param::entry|.param::func: 8.3; .shared::cluster: 7.8 sm_90+; .shared::cta: 7.8; .weak: 6.0 sm_70+; space=-: 2.0 sm_20+", 1, "9.7.9.8"},
    {"ld{.weak}{.global}{<L1>}{<L2>}{.L2::cache_hint}{<L2_fetch>}(.v4<D>|.v8<T>)", "D=wide64; T=wide32", "",
     "d:dvec(vec, X), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {8, 8}, "sm_100+", "", 1, "9.7.9.8"},
    {"ld.volatile{<space>}{<L2_fetch>}{.v2|.v4}<T>", "T=memory; space=atom_space", ".v4 => T=upto32; L2_fetch => space=-|.global",
     "d:dvec(vec, T+), a:addr", {1, 1}, "all",
     ".L2::128B|.L2::64B: 7.4 sm_75+; .L2::256B: 7.4 sm_80+; .shared::cluster: 7.8 sm_90+; .shared::cta: 7.8; space=-: 2.0 sm_20+", 1, "9.7.9.8"},
    {"ld.volatile.local{.v2|.v4}<T>",                   "T=memory",           ".v4 => T=upto32", "d:dvec(vec, T+), a:addr(i32)", {9, 1}, "all",     "", 1, "9.7.9.8"},
    {"ld(.relaxed|.acquire)<scope>{<space>}{<L1>}{.L2::cache_hint}{<L2_fetch>}{.v2|.v4}<T>", "T=memory; space=atom_space", ".v4 => T=upto32; .L2::cache_hint|L2_fetch|L1 => space=-|.global",
     "d:dvec(vec, T+), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {6, 0}, "sm_70+",
     "L1: 7.4; .L2::128B|.L2::64B: 7.4 sm_75+; .L2::256B|.L2::cache_hint: 7.4 sm_80+; .cluster|.shared::cluster: 7.8 sm_90+; .shared::cta: 7.8", 1, "9.7.9.8"},
    {"ld.mmio.relaxed.sys{.global}<T>",                 "T=memory",           "",                "d:dst(T+), a:addr",            {8, 2}, "sm_70+",  "", 1, "9.7.9.8"},
    {"ld.mmio.acquire.sys{.global}<T>",                 "T=memory",           "",                "d:dst(T+), a:addr(i32)",       {9, 3}, "sm_75+",  "", 1, "9.7.9.8"},
    {"ld{.weak}{.global}{.v2|.v4}<T>", "T=memory", ".v4 => T=upto32",
     "d:dvec(vec, T+), a:addr_unified", {1, 0}, "all",
     ".weak: 6.0 sm_70+; !.global: 2.0 sm_20+", 1, "9.7.9.8", "", "the manual has .unified from 8.0 on sm_90"},
    {"ld{.weak}{<space>}{<cache>}{.L2::cache_hint}{<L2_fetch>}.b128", "space=ld_space; cache=ld_cache", ".L2::cache_hint|L2_fetch => space=-|.global",
     "d:dst(b128), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {8, 3}, "sm_70+",
     ".L2::128B|.L2::64B: sm_75+; .L2::256B|.L2::cache_hint: sm_80+; .shared::cluster: sm_90+", 1, "9.7.9.8"},
    {"ld{.weak}{<space>}{<L1>}{.L2::cache_hint}{<L2_fetch>}.b128", "space=ld_space", ".L2::cache_hint|L2_fetch|L1 => space=-|.global",
     "d:dst(b128), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {8, 3}, "sm_70+",
     ".L2::128B|.L2::64B: sm_75+; .L2::256B|.L2::cache_hint: sm_80+; .shared::cluster: sm_90+", 1, "9.7.9.8"},
    {"ld(.relaxed|.acquire)<scope>{<space>}{<L1>}{.L2::cache_hint}{<L2_fetch>}.b128", "space=atom_space", ".L2::cache_hint|L2_fetch|L1 => space=-|.global",
     "d:dst(b128), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {8, 3}, "sm_70+",
     ".L2::128B|.L2::64B: sm_75+; .L2::256B|.L2::cache_hint: sm_80+; .cluster|.shared::cluster: sm_90+; .sys: 8.4", 1, "9.7.9.8"},
    {"ld.volatile{<space>}{<L2_fetch>}.b128", "space=atom_space", "L2_fetch => space=-|.global",
     "d:dst(b128), a:addr", {8, 3}, "sm_70+", ".L2::128B|.L2::64B: sm_75+; .L2::256B: sm_80+; .shared::cluster: sm_90+", 1, "9.7.9.8"},
    {"ld{.weak}{.global}{<cache>}{.L2::cache_hint}{<L2_fetch>}(.v4<D>|.v8<T>)", "D=wide64; T=wide32; cache=ld_cache", "",
     "d:dvec(vec, X), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {8, 8}, "sm_100+", "", 1, "9.7.9.8"},
    {"ld.volatile{.global}{<L2_fetch>}(.v4<D>|.v8<T>)", "D=wide64; T=wide32", "",                "d:dvec(vec, X), a:addr",       {8, 8}, "sm_100+", "", 1, "9.7.9.8"},
    {"ld(.relaxed|.acquire)<scope>{.global}{<L1>}{<L2>}{.L2::cache_hint}{<L2_fetch>}(.v4<D>|.v8<T>)", "D=wide64; T=wide32", "",
     "d:dvec(vec, X), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {8, 8}, "sm_100+", "", 1, "9.7.9.8"},
    {"ld.mmio.relaxed.sys{.global}.b128",               "",                   "",                "d:dst(b128), a:addr",          {8, 4}, "sm_70+",  "", 1, "9.7.9.8"},
    {"ld.volatile.local.b128",                          "",                   "",                "d:dst(b128), a:addr(i32)",     {9, 1}, "sm_70+",  "", 1, "9.7.9.8"},
    {"ld{.global}<T>.proxy::readonly", "T=memory", "",
     "d:dst(T), a:addr(i32)", {9, 4}, "sm_90+", "", 1, "9.7.9.8", "", "reported only: position of the proxy modifier unconfirmed; not for .b128"},
    // §9.7.9.9 ld
    {"ld.global{<cache>}.nc{.L2::cache_hint}{<L2_fetch>}{.v2|.v4}<T>", "T=memory; cache=nc_cache", ".v4 => T=upto32",
     "d:dvec(vec, T+), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {3, 1}, "sm_32+",
     ".L2::128B|.L2::64B: 7.4 sm_75+; .L2::256B|.L2::cache_hint: 7.4 sm_80+", 1, "9.7.9.9"},
    {"ld.global.nc{<L1>}{.L2::cache_hint}{<L2_fetch>}{.v2|.v4}<T>", "T=memory", ".v4 => T=upto32",
     "d:dvec(vec, T+), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {3, 1}, "sm_32+",
     "L1: 7.4 sm_70+; .L2::128B|.L2::64B: 7.4 sm_75+; .L2::256B|.L2::cache_hint: 7.4 sm_80+", 1, "9.7.9.9"},
    {"ld.global.nc{<L1>}{<L2>}{.L2::cache_hint}{<L2_fetch>}(.v4<D>|.v8<T>)", "D=wide64; T=wide32", "",
     "d:dvec(vec, X), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {8, 8}, "sm_100+", "", 1, "9.7.9.9"},
    {"ld.global{<cache>}.nc{.L2::cache_hint}{<L2_fetch>}.b128", "cache=nc_cache", "",
     "d:dst(b128), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {8, 3}, "sm_70+",
     ".L2::128B|.L2::64B: sm_75+; .L2::256B|.L2::cache_hint: sm_80+", 1, "9.7.9.9"},
    {"ld.global.nc{<L1>}{.L2::cache_hint}{<L2_fetch>}.b128", "", "",
     "d:dst(b128), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {8, 3}, "sm_70+",
     ".L2::128B|.L2::64B: sm_75+; .L2::256B|.L2::cache_hint: sm_80+", 1, "9.7.9.9"},
    {"ld.global{<cache>}.nc{.L2::cache_hint}{<L2_fetch>}(.v4<D>|.v8<T>)", "D=wide64; T=wide32; cache=nc_cache", "",
     "d:dvec(vec, X), a:addr, pol:val(int(b64)) @ .L2::cache_hint", {8, 8}, "sm_100+", "", 1, "9.7.9.9"},
    // §9.7.9.10 ldu
    {"ldu{.global}{.v2|.v4}<T>", "T=memory", ".v4 => T=upto32", "d:dvec(vec, T+), a:addr", {2, 0}, "sm_20+", "", 1, "9.7.9.10"},
    {"ldu{.global}.b128",        "",         "",                "d:dst(b128), a:addr",     {8, 3}, "sm_70+", "", 1, "9.7.9.10"},
    // §9.7.9.11 st
    {"st{.weak}{<space>}{<cache>}{.L2::cache_hint}{.v2|.v4}<T>", "T=memory; space=st_space; cache=st_cache", ".v4 => T=upto32; .L2::cache_hint => space=-|.global",
     "a:addr, b:svec(vec, T+), pol:val(int(b64)) @ .L2::cache_hint", {1, 0}, "all",
     ".L2::cache_hint: 7.4 sm_80+; cache: 2.0 sm_20+; space=-: 2.0 sm_20+; .param: sm_20+; .param::func: 8.3 sm_20+; .shared::cluster: 7.8 sm_90+; .shared::cta: 7.8; .weak: 6.0 sm_70+", 1, "9.7.9.11"},
    {"st{.weak}{<space>}{<L1>}{.L2::cache_hint}{.v2|.v4}<T>", "T=memory; space=st_space", ".v4 => T=upto32; .L2::cache_hint|L1 => space=-|.global",
     "a:addr, b:svec(vec, T+), pol:val(int(b64)) @ .L2::cache_hint", {1, 0}, "all",
     "L1: 7.4 sm_70+; .L2::cache_hint: 7.4 sm_80+; .param: sm_20+; .param::func: 8.3 sm_20+; .shared::cluster: 7.8 sm_90+; .shared::cta: 7.8; .weak: 6.0 sm_70+; space=-: 2.0 sm_20+", 1, "9.7.9.11"},
    {"st{.weak}{.global}{<L1>}{<L2>}{.L2::cache_hint}(.v4<D>|.v8<T>)", "D=wide64; T=wide32", "",
     "a:addr, b:svec(vec, X), pol:val(int(b64)) @ .L2::cache_hint", {8, 8}, "sm_100+", "", 1, "9.7.9.11"},
    {"st.volatile{<space>}{.v2|.v4}<T>", "T=memory; space=atom_space", ".v4 => T=upto32",
     "a:addr, b:svec(vec, T+)", {1, 1}, "all", ".shared::cluster: 7.8 sm_90+; .shared::cta: 7.8; space=-: 2.0 sm_20+", 1, "9.7.9.11"},
    {"st.volatile.local{.v2|.v4}<T>",       "T=memory",           ".v4 => T=upto32", "a:addr(i32), b:svec(vec, T+)", {9, 1}, "all",     "",                         1, "9.7.9.11"},
    {"st(.relaxed|.release)<scope>{<space>}{<L1>}{.L2::cache_hint}{.v2|.v4}<T>", "T=memory; space=atom_space", ".v4 => T=upto32; .L2::cache_hint|L1 => space=-|.global",
     "a:addr, b:svec(vec, T+), pol:val(int(b64)) @ .L2::cache_hint", {6, 0}, "sm_70+",
     "L1: 7.4; .L2::cache_hint: 7.4 sm_80+; .cluster|.shared::cluster: 7.8 sm_90+; .shared::cta: 7.8", 1, "9.7.9.11"},
    {"st.mmio.relaxed.sys{.global}<T>",     "T=memory",           "",                "a:addr, b:val(T+)",            {8, 2}, "sm_70+",  "",                         1, "9.7.9.11"},
    {"st.mmio.release.sys{.global}<T>",     "T=memory",           "",                "a:addr(i32), b:reg(T+)",       {9, 3}, "sm_75+",  "",                         1, "9.7.9.11"},
    {"st.volatile{<space>}.b128",           "space=atom_space",   "",                "a:addr, b:val(b128)",          {8, 3}, "sm_70+",  ".shared::cluster: sm_90+", 1, "9.7.9.11"},
    {"st{.weak}{<space>}{<cache>}{.L2::cache_hint}.b128", "space=st_space; cache=st_cache", ".L2::cache_hint => space=-|.global",
     "a:addr, b:val(b128), pol:val(int(b64)) @ .L2::cache_hint", {8, 3}, "sm_70+", ".L2::cache_hint: sm_80+; .shared::cluster: sm_90+", 1, "9.7.9.11"},
    {"st{.weak}{<space>}{<L1>}{.L2::cache_hint}.b128", "space=st_space", ".L2::cache_hint|L1 => space=-|.global",
     "a:addr, b:val(b128), pol:val(int(b64)) @ .L2::cache_hint", {8, 3}, "sm_70+", ".L2::cache_hint: sm_80+; .shared::cluster: sm_90+", 1, "9.7.9.11"},
    {"st(.relaxed|.release)<scope>{<space>}{<L1>}{.L2::cache_hint}.b128", "space=atom_space", ".L2::cache_hint|L1 => space=-|.global",
     "a:addr, b:val(b128), pol:val(int(b64)) @ .L2::cache_hint", {8, 3}, "sm_70+",
     ".L2::cache_hint: sm_80+; .cluster|.shared::cluster: sm_90+; .sys: 8.4", 1, "9.7.9.11"},
    {"st{.weak}{.global}{<cache>}{.L2::cache_hint}(.v4<D>|.v8<T>)", "D=wide64; T=wide32; cache=st_cache", "",
     "a:addr, b:svec(vec, X), pol:val(int(b64)) @ .L2::cache_hint", {8, 8}, "sm_100+", "", 1, "9.7.9.11"},
    {"st.volatile{.global}(.v4<D>|.v8<T>)", "D=wide64; T=wide32", "",                "a:addr, b:svec(vec, X)",       {8, 8}, "sm_100+", "",                         1, "9.7.9.11"},
    {"st(.relaxed|.release)<scope>{.global}{<L1>}{<L2>}{.L2::cache_hint}(.v4<D>|.v8<T>)", "D=wide64; T=wide32", "",
     "a:addr, b:svec(vec, X), pol:val(int(b64)) @ .L2::cache_hint", {8, 8}, "sm_100+", "", 1, "9.7.9.11"},
    {"st.mmio.relaxed.sys{.global}.b128",   "",                   "",                "a:addr, b:val(b128)",          {8, 4}, "sm_70+",  "",                         1, "9.7.9.11"},
    {"st.volatile.local.b128",              "",                   "",                "a:addr(i32), b:reg(b128)",     {9, 1}, "sm_70+",  "",                         1, "9.7.9.11"},
    // §9.7.9.12 st
    {"st.async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.v2|.v4}<T>", "T=word_float", ".v4 => T=wide32",
     "a:addr(i32), b:svec(vec, T), mbar:addr(i32)", {8, 1}, "sm_90+", "", 2, "9.7.9.12"},
    {"st.async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes.b128", "",         "", "a:addr(i32), b:reg(b128), mbar:addr(i32)", {9, 2}, "sm_90+",  "", 1, "9.7.9.12"},
    {"st.async{.mmio}.release(.gpu|.sys){.global}<T>",                      "T=memory", "", "a:addr(i32), b:val(T)",                    {8, 7}, "sm_100+", "", 2, "9.7.9.12"},
    // §9.7.9.13 multimem
    {"multimem.st.async.release(.gpu|.sys){.global}<T>", "T=memory", "", "a:addr(i32), b:reg(T)", {9, 3}, "sm_100+", "", 1, "9.7.9.13"},
    // §9.7.9.14 st
    {"st.bulk{.weak}{.shared::cta}", "", "", "a:addr(i32), size:reg(i32|i64), initval:imm(0)", {8, 6}, "sm_100+", "", 2, "9.7.9.14"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> LoadStoreInstructions() { return kLoadStore; }

}  // namespace ptxfarm::ptx::isa
