// PTX ISA 9.4 §9.7.6 comparison and selection, §9.7.7 the same for half precision.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kComparison[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.6.1 set
    {"set<cmp>{.ftz}<D><S>", "cmp=cmp_any; D=.u32|.s32|.f32; S=scalar", "cmp=unsigned_only => S=.u16|.u32|.u64; cmp=float_only => S=.f32|.f64; S=.b16|.b32|.b64 => cmp=.eq|.ne; .ftz => S=.f32",
     "d:dst(D), a:val(S), b:val(S)", {1, 0}, "all", ".ftz: 1.4", 1, "9.7.6.1"},
    {"set<cmp><bool>{.ftz}<D><S>", "cmp=cmp_any; D=.u32|.s32|.f32; S=scalar", "cmp=unsigned_only => S=.u16|.u32|.u64; cmp=float_only => S=.f32|.f64; S=.b16|.b32|.b64 => cmp=.eq|.ne; .ftz => S=.f32",
     "d:dst(D), a:val(S), b:val(S), c:npred", {1, 0}, "all", ".ftz: 1.4", 1, "9.7.6.1"},
    {"set<cmp><T>", "cmp=.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs; T=.u8x4|.s8x4|.u16x2|.s16x2", "cmp=unsigned_only => T=.u8x4|.u16x2",
     "d:dst(T), a:reg(T), b:reg(T)", {9, 4}, "sm_107f+", "", 1, "9.7.6.1", "", "reported only: packed integer compare; operand/type list order unconfirmed"},
    // §9.7.6.2 setp
    {"setp<cmp>{.ftz}<S>", "cmp=cmp_any; S=scalar", "cmp=unsigned_only => S=.u16|.u32|.u64; cmp=float_only => S=.f32|.f64; S=.b16|.b32|.b64 => cmp=.eq|.ne; .ftz => S=.f32",
     "p:pdst|pdst?, a:val(S), b:val(S)", {1, 0}, "all", ".ftz: 1.4", 1, "9.7.6.2"},
    {"setp<cmp><bool>{.ftz}<S>", "cmp=cmp_any; S=scalar", "cmp=unsigned_only => S=.u16|.u32|.u64; cmp=float_only => S=.f32|.f64; S=.b16|.b32|.b64 => cmp=.eq|.ne; .ftz => S=.f32",
     "p:pdst|pdst?, a:val(S), b:val(S), c:npred", {1, 0}, "all", ".ftz: 1.4", 1, "9.7.6.2"},
    // §9.7.6.3 selp
    {"selp<T>", "T=scalar", "", "d:dst(T), a:val(T), b:val(T), c:npred", {1, 0}, "all", "", 1, "9.7.6.3"},
    // §9.7.6.4 slct
    {"slct<D>.s32",       "D=scalar", "", "d:dst(D), a:val(D), b:val(D), c:val(s32)", {1, 0}, "all", "",          1, "9.7.6.4"},
    {"slct{.ftz}<D>.f32", "D=scalar", "", "d:dst(D), a:val(D), b:val(D), c:val(f32)", {1, 0}, "all", ".ftz: 1.4", 1, "9.7.6.4"},
    // §9.7.7.1 set
    {"set<cmp>{.ftz}.f16<S>", "cmp=cmp_any; S=.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64|.f16", "cmp=unsigned_only => S=.u16|.u32|.u64; cmp=float_only => S=.f16|.f32|.f64; S=.b16|.b32|.b64 => cmp=.eq|.ne; .ftz => S=.f16|.f32",
     "d:dst(f16), a:val(S), b:val(S)", {4, 2}, "sm_53+", "", 1, "9.7.7.1"},
    {"set<cmp><bool>{.ftz}.f16<S>", "cmp=cmp_any; S=.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64|.f16", "cmp=unsigned_only => S=.u16|.u32|.u64; cmp=float_only => S=.f16|.f32|.f64; S=.b16|.b32|.b64 => cmp=.eq|.ne; .ftz => S=.f16|.f32",
     "d:dst(f16), a:val(S), b:val(S), c:npred", {4, 2}, "sm_53+", "", 1, "9.7.7.1"},
    {"set<cmp>.bf16<S>", "cmp=cmp_any; S=.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64|.f16|.bf16", "cmp=unsigned_only => S=.u16|.u32|.u64; cmp=float_only => S=.f16|.bf16|.f32|.f64; S=.b16|.b32|.b64 => cmp=.eq|.ne",
     "d:dst(int(bf16)), a:val(S), b:val(S)", {7, 8}, "sm_90+", "", 1, "9.7.7.1"},
    {"set<cmp><bool>.bf16<S>", "cmp=cmp_any; S=.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64|.f16|.bf16", "cmp=unsigned_only => S=.u16|.u32|.u64; cmp=float_only => S=.f16|.bf16|.f32|.f64; S=.b16|.b32|.b64 => cmp=.eq|.ne",
     "d:dst(int(bf16)), a:val(S), b:val(S), c:npred", {7, 8}, "sm_90+", "", 1, "9.7.7.1"},
    {"set<cmp>{.ftz}<D>.f16",       "cmp=cmp_float; D=.u16|.s16|.u32|.s32", "", "d:dst(D), a:reg(f16), b:reg(f16)",                {6, 5}, "sm_53+", "",               1, "9.7.7.1"},
    {"set<cmp><bool>{.ftz}<D>.f16", "cmp=cmp_float; D=.u16|.s16|.u32|.s32", "", "d:dst(D), a:reg(f16), b:reg(f16), c:npred",       {6, 5}, "sm_53+", "",               1, "9.7.7.1"},
    {"set<cmp><D>.bf16",            "cmp=cmp_float; D=.u16|.s16|.u32|.s32", "", "d:dst(D), a:reg(bf16), b:reg(bf16)",              {7, 8}, "sm_90+", "",               1, "9.7.7.1"},
    {"set<cmp><bool><D>.bf16",      "cmp=cmp_float; D=.u16|.s16|.u32|.s32", "", "d:dst(D), a:reg(bf16), b:reg(bf16), c:npred",     {7, 8}, "sm_90+", "",               1, "9.7.7.1"},
    {"set<cmp>{.ftz}<D>.f16x2",     "cmp=cmp_float; D=.f16x2|.u32|.s32",    "", "d:dst(D), a:reg(f16x2), b:reg(f16x2)",            {4, 2}, "sm_53+", ".s32|.u32: 6.5", 1, "9.7.7.1"},
    {"set<cmp><bool>{.ftz}<D>.f16x2", "cmp=cmp_float; D=.f16x2|.u32|.s32", "",
     "d:dst(D), a:reg(f16x2), b:reg(f16x2), c:npred", {4, 2}, "sm_53+", ".s32|.u32: 6.5", 1, "9.7.7.1"},
    {"set<cmp><D>.bf16x2",          "cmp=cmp_float; D=.bf16x2|.u32|.s32",   "", "d:dst(D), a:reg(bf16x2), b:reg(bf16x2)",          {7, 8}, "sm_90+", "",               1, "9.7.7.1"},
    {"set<cmp><bool><D>.bf16x2",    "cmp=cmp_float; D=.bf16x2|.u32|.s32",   "", "d:dst(D), a:reg(bf16x2), b:reg(bf16x2), c:npred", {7, 8}, "sm_90+", "",               1, "9.7.7.1"},
    // §9.7.7.2 setp
    {"setp<cmp>{.ftz}.f16",         "cmp=cmp_float", "", "p:pdst, a:reg(f16), b:reg(f16)",                     {4, 2}, "sm_53+", "", 1, "9.7.7.2"},
    {"setp<cmp><bool>{.ftz}.f16",   "cmp=cmp_float", "", "p:pdst, a:reg(f16), b:reg(f16), c:npred",            {4, 2}, "sm_53+", "", 1, "9.7.7.2"},
    {"setp<cmp>{.ftz}.f16x2",       "cmp=cmp_float", "", "p:pdst|pdst, a:reg(f16x2), b:reg(f16x2)",            {4, 2}, "sm_53+", "", 1, "9.7.7.2"},
    {"setp<cmp><bool>{.ftz}.f16x2", "cmp=cmp_float", "", "p:pdst|pdst, a:reg(f16x2), b:reg(f16x2), c:npred",   {4, 2}, "sm_53+", "", 1, "9.7.7.2"},
    {"setp<cmp>.bf16",              "cmp=cmp_float", "", "p:pdst, a:reg(bf16), b:reg(bf16)",                   {7, 8}, "sm_90+", "", 1, "9.7.7.2"},
    {"setp<cmp><bool>.bf16",        "cmp=cmp_float", "", "p:pdst, a:reg(bf16), b:reg(bf16), c:npred",          {7, 8}, "sm_90+", "", 1, "9.7.7.2"},
    {"setp<cmp>.bf16x2",            "cmp=cmp_float", "", "p:pdst|pdst, a:reg(bf16x2), b:reg(bf16x2)",          {7, 8}, "sm_90+", "", 1, "9.7.7.2"},
    {"setp<cmp><bool>.bf16x2",      "cmp=cmp_float", "", "p:pdst|pdst, a:reg(bf16x2), b:reg(bf16x2), c:npred", {7, 8}, "sm_90+", "", 1, "9.7.7.2"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> ComparisonInstructions() { return kComparison; }

}  // namespace ptxfarm::ptx::isa
