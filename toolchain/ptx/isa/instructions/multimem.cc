// PTX ISA 9.4 §9.7.9.15 operations on multimem addresses.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kMultimem[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.9.15 multimem
    {"multimem.ld_reduce{.weak}{.global}<op><T>", "op=.min|.max|.add|.and|.or|.xor; T=word", "op=.and|.or|.xor => T=.b32|.b64; T=.b32|.b64 => op=.and|.or|.xor; op=.add => T=.u32|.u64|.s32; op=.min|.max => T=.u32|.s32|.u64|.s64",
     "d:dst(T), a:addr", {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.ld_reduce(.relaxed|.acquire)<scope>{.global}<op><T>", "op=.min|.max|.add|.and|.or|.xor; T=word", "op=.and|.or|.xor => T=.b32|.b64; T=.b32|.b64 => op=.and|.or|.xor; op=.add => T=.u32|.u64|.s32; op=.min|.max => T=.u32|.s32|.u64|.s64",
     "d:dst(T), a:addr", {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.st{.weak}{.global}<T>",                                                 "T=word", "", "a:addr, b:val(T)",              {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.st(.relaxed|.release)<scope>{.global}<T>",                              "T=word", "", "a:addr, b:val(T)",              {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.red{(.relaxed|.release)<scope>}{.global}<op><T>", "op=.min|.max|.add|.and|.or|.xor; T=word", "op=.and|.or|.xor => T=.b32|.b64; T=.b32|.b64 => op=.and|.or|.xor; op=.add => T=.u32|.u64|.s32; op=.min|.max => T=.u32|.s32|.u64|.s64",
     "a:addr(i64), b:val(T)", {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.ld_reduce{.weak|(.relaxed|.acquire)<scope>}{.global}<op>{.acc::f32}<vec><T>", "op=merge; vec=-|.v2|.v4|.v8; T=half", "vec=- => T=.f16x2|.bf16x2; vec=.v8 => T=.f16|.bf16; .acc::f32 => op=.add",
     "d:dvec(vec, T), a:addr", {8, 1}, "sm_90+", ".acc::f32: 8.2", 2, "9.7.9.15"},
    {"multimem.ld_reduce{.weak|(.relaxed|.acquire)<scope>}{.global}.add{.v2|.v4}.f32", "",       "", "d:dvec(vec, f32), a:addr",      {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.ld_reduce{.weak|(.relaxed|.acquire)<scope>}{.global}.add.f64",          "",       "", "d:dst(f64), a:addr",            {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.st{.weak|(.relaxed|.release)<scope>}{.global}<vec><T>", "vec=-|.v2|.v4|.v8; T=half", "vec=- => T=.f16x2|.bf16x2; vec=.v8 => T=.f16|.bf16",
     "a:addr, b:svec(vec, T)", {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.st{.weak|(.relaxed|.release)<scope>}{.global}{.v2|.v4}.f32",            "",       "", "a:addr, b:svec(vec, f32)",      {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.st{.weak|(.relaxed|.release)<scope>}{.global}.f64",                     "",       "", "a:addr, b:val(f64)",            {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.red{(.relaxed|.release)<scope>}{.global}.add<vec><T>", "vec=-|.v2|.v4|.v8; T=half", "vec=- => T=.f16x2|.bf16x2; vec=.v8 => T=.f16|.bf16",
     "a:addr(i64), b:svec(vec, T)", {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.red{(.relaxed|.release)<scope>}{.global}(.min|.max)<vec><T>", "vec=.v2|.v4|.v8; T=half", "vec=.v8 => T=.f16|.bf16",
     "a:addr(i64), b:svec(vec, T)", {8, 1}, "sm_90+", "", 2, "9.7.9.15", "", "the manual has .add only"},
    {"multimem.red{(.relaxed|.release)<scope>}{.global}.add{.v2|.v4}.f32",             "",       "", "a:addr(i64), b:svec(vec, f32)", {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.red{(.relaxed|.release)<scope>}{.global}.add.f64",                      "",       "", "a:addr(i64), b:val(f64)",       {8, 1}, "sm_90+", "", 2, "9.7.9.15"},
    {"multimem.ld_reduce{.weak|(.relaxed|.acquire)<scope>}{.global}<op>{.acc::f16}<vec><T>", "op=merge; vec=-|.v2|.v4|.v8; T=fp8_multimem", "vec=- => T=.e5m2x4|.e4m3x4; vec=.v2 => T=.e5m2x2|.e5m2x4|.e4m3x2|.e4m3x4; vec=.v8 => T=.e5m2|.e5m2x2|.e4m3|.e4m3x2; .acc::f16 => op=.add",
     "d:dvec(vec, T), a:addr", {8, 6}, "sm_100f+|sm_110f+|sm_120a|sm_121a", "", 2, "9.7.9.15"},
    {"multimem.st{.weak|(.relaxed|.release)<scope>}{.global}<vec><T>", "vec=-|.v2|.v4|.v8; T=fp8_multimem", "vec=- => T=.e5m2x4|.e4m3x4; vec=.v2 => T=.e5m2x2|.e5m2x4|.e4m3x2|.e4m3x4; vec=.v8 => T=.e5m2|.e5m2x2|.e4m3|.e4m3x2",
     "a:addr, b:svec(vec, T)", {8, 6}, "sm_100f+|sm_110f+|sm_120a|sm_121a", "", 2, "9.7.9.15"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> MultimemInstructions() { return kMultimem; }

}  // namespace ptxfarm::ptx::isa
