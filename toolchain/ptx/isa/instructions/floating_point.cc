// PTX ISA 9.4 §9.7.3 floating point.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kFloatingPoint[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.3.1 testp
    {"testp<op><T>", "op=.finite|.infinite|.number|.notanumber|.normal|.subnormal; T=.f32|.f64", "", "p:pdst, a:val(T)", {2, 0}, "sm_20+", "", 1, "9.7.3.1"},
    // §9.7.3.2 copysign
    {"copysign<T>", "T=.f32|.f64", "", "d:dst(T), a:val(T), b:val(T)", {2, 0}, "sm_20+", "", 1, "9.7.3.2"},
    // §9.7.3.3 add
    {"add{<rnd>}{.ftz}{.sat}.f32", "", "", "d:dst(f32), a:val(f32), b:val(f32)",       {1, 0}, "all",     ".ftz: 1.4; .rm|.rp: sm_20+", 1, "9.7.3.3"},
    {"add{<rnd>}{.ftz}.f32x2",     "", "", "d:dst(f32x2), a:reg(f32x2), b:reg(f32x2)", {8, 6}, "sm_100+", "",                           1, "9.7.3.3"},
    {"add{<rnd>}.f64",             "", "", "d:dst(f64), a:val(f64), b:val(f64)",       {1, 0}, "all",     ".rm|.rp: sm_13+",            1, "9.7.3.3"},
    // §9.7.3.4 sub
    {"sub{<rnd>}{.ftz}{.sat}.f32", "", "", "d:dst(f32), a:val(f32), b:val(f32)",       {1, 0}, "all",     ".ftz: 1.4; .rm|.rp: sm_20+", 1, "9.7.3.4"},
    {"sub{<rnd>}{.ftz}.f32x2",     "", "", "d:dst(f32x2), a:reg(f32x2), b:reg(f32x2)", {8, 6}, "sm_100+", "",                           1, "9.7.3.4"},
    {"sub{<rnd>}.f64",             "", "", "d:dst(f64), a:val(f64), b:val(f64)",       {1, 0}, "all",     ".rm|.rp: sm_13+",            1, "9.7.3.4"},
    // §9.7.3.5 mul
    {"mul{<rnd>}{.ftz}{.sat}.f32", "", "", "d:dst(f32), a:val(f32), b:val(f32)",       {1, 0}, "all",     ".ftz: 1.4; .rm|.rp: sm_20+", 1, "9.7.3.5"},
    {"mul{<rnd>}{.ftz}.f32x2",     "", "", "d:dst(f32x2), a:reg(f32x2), b:reg(f32x2)", {8, 6}, "sm_100+", "",                           1, "9.7.3.5"},
    {"mul{<rnd>}.f64",             "", "", "d:dst(f64), a:val(f64), b:val(f64)",       {1, 0}, "all",     ".rm|.rp: sm_13+",            1, "9.7.3.5"},
    // §9.7.3.6 fma
    {"fma<rnd>{.ftz}{.sat}.f32", "", "", "d:dst(f32), a:val(f32), b:val(f32), c:val(f32)",         {2, 0}, "sm_20+",  "",                1, "9.7.3.6"},
    {"fma<rnd>{.ftz}.f32x2",     "", "", "d:dst(f32x2), a:reg(f32x2), b:reg(f32x2), c:reg(f32x2)", {8, 6}, "sm_100+", "",                1, "9.7.3.6"},
    {"fma<rnd>.f64",             "", "", "d:dst(f64), a:val(f64), b:val(f64), c:val(f64)",         {1, 4}, "all",     ".rm|.rp: sm_13+", 1, "9.7.3.6"},
    // §9.7.3.7 mad
    {"mad<rnd>{.ftz}{.sat}.f32", "", "", "d:dst(f32), a:val(f32), b:val(f32), c:val(f32)", {1, 0}, "sm_20+", ".ftz: 1.4",       1, "9.7.3.7"},
    {"mad<rnd>.f64",             "", "", "d:dst(f64), a:val(f64), b:val(f64), c:val(f64)", {1, 0}, "all",    ".rm|.rp: sm_13+", 1, "9.7.3.7"},
    {"mad{.ftz}{.sat}.f32",      "", "", "d:dst(f32), a:val(f32), b:val(f32), c:val(f32)", {1, 0}, "all",    ".ftz: 1.4",       1, "9.7.3.7", "retired 3.2 sm_20+"},
    {"mad.f64",                  "", "", "d:dst(f64), a:val(f64), b:val(f64), c:val(f64)", {1, 0}, "all",    "",                1, "9.7.3.7", "retired 1.4"},
    // §9.7.3.8 div
    {"div(.approx|.full){.ftz}.f32", "", "", "d:dst(f32), a:val(f32), b:val(f32)", {1, 4}, "all",    "",                    2, "9.7.3.8"},
    {"div<rnd>{.ftz}.f32",           "", "", "d:dst(f32), a:val(f32), b:val(f32)", {1, 4}, "sm_20+", "",                    1, "9.7.3.8"},
    {"div<rnd>.f64",                 "", "", "d:dst(f64), a:val(f64), b:val(f64)", {1, 0}, "all",    ".rm|.rp|.rz: sm_20+", 1, "9.7.3.8"},
    {"div.f32",                      "", "", "d:dst(f32), a:val(f32), b:val(f32)", {1, 0}, "all",    "",                    1, "9.7.3.8", "retired 1.4"},
    {"div.f64",                      "", "", "d:dst(f64), a:val(f64), b:val(f64)", {1, 0}, "all",    "",                    1, "9.7.3.8", "retired 1.4"},
    // §9.7.3.9 abs
    {"abs{.ftz}.f32", "", "", "d:dst(f32), a:val(f32)", {1, 0}, "all", ".ftz: 1.4", 1, "9.7.3.9"},
    {"abs.f64",       "", "", "d:dst(f64), a:val(f64)", {1, 0}, "all", "",          1, "9.7.3.9"},
    // §9.7.3.10 neg
    {"neg{.ftz}.f32", "", "", "d:dst(f32), a:val(f32)", {1, 0}, "all", ".ftz: 1.4", 1, "9.7.3.10"},
    {"neg.f64",       "", "", "d:dst(f64), a:val(f64)", {1, 0}, "all", "",          1, "9.7.3.10"},
    // §9.7.3.11 min
    {"min{.ftz}{.NaN}{.xorsign.abs}.f32", "", "",
     "d:dst(f32), a:val(f32), b:val(f32)", {1, 0}, "all", ".NaN: 7.0 sm_80+; .ftz: 1.4; .xorsign: 7.2 sm_86+", 1, "9.7.3.11"},
    {"min{.ftz}{.NaN}{.abs}.f32", "", "", "d:dst(f32), a:val(f32), b:val(f32), c:val(f32)", {8, 8}, "sm_100+", "", 1, "9.7.3.11"},
    {"min.f64",                   "", "", "d:dst(f64), a:val(f64), b:val(f64)",             {1, 0}, "all",     "", 1, "9.7.3.11"},
    // §9.7.3.12 max
    {"max{.ftz}{.NaN}{.xorsign.abs}.f32", "", "",
     "d:dst(f32), a:val(f32), b:val(f32)", {1, 0}, "all", ".NaN: 7.0 sm_80+; .ftz: 1.4; .xorsign: 7.2 sm_86+", 1, "9.7.3.12"},
    {"max{.ftz}{.NaN}{.abs}.f32", "", "", "d:dst(f32), a:val(f32), b:val(f32), c:val(f32)", {8, 8}, "sm_100+", "", 1, "9.7.3.12"},
    {"max.f64",                   "", "", "d:dst(f64), a:val(f64), b:val(f64)",             {1, 0}, "all",     "", 1, "9.7.3.12"},
    // §9.7.3.13 rcp
    {"rcp.approx{.ftz}.f32", "", "", "d:dst(f32), a:val(f32)", {1, 4}, "all",    "",                    1, "9.7.3.13"},
    {"rcp<rnd>{.ftz}.f32",   "", "", "d:dst(f32), a:val(f32)", {1, 4}, "sm_20+", "",                    1, "9.7.3.13"},
    {"rcp<rnd>.f64",         "", "", "d:dst(f64), a:val(f64)", {1, 4}, "all",    ".rm|.rp|.rz: sm_20+", 1, "9.7.3.13"},
    {"rcp.f32",              "", "", "d:dst(f32), a:val(f32)", {1, 0}, "all",    "",                    1, "9.7.3.13", "retired 1.4"},
    // §9.7.3.14 rcp
    {"rcp.approx.ftz.f64", "", "", "d:dst(f64), a:val(f64)", {2, 1}, "sm_20+", "", 1, "9.7.3.14"},
    // §9.7.3.15 sqrt
    {"sqrt.approx{.ftz}.f32", "", "", "d:dst(f32), a:val(f32)", {1, 4}, "all",    "",                    1, "9.7.3.15"},
    {"sqrt<rnd>{.ftz}.f32",   "", "", "d:dst(f32), a:val(f32)", {1, 4}, "sm_20+", "",                    1, "9.7.3.15"},
    {"sqrt<rnd>.f64",         "", "", "d:dst(f64), a:val(f64)", {1, 0}, "all",    ".rm|.rp|.rz: sm_20+", 1, "9.7.3.15"},
    {"sqrt.f32",              "", "", "d:dst(f32), a:val(f32)", {1, 0}, "all",    "",                    1, "9.7.3.15", "retired 1.4"},
    {"sqrt.f64",              "", "", "d:dst(f64), a:val(f64)", {1, 0}, "all",    "",                    1, "9.7.3.15", "retired 1.4"},
    // §9.7.3.16 rsqrt
    {"rsqrt.approx{.ftz}.f32", "", "", "d:dst(f32), a:val(f32)", {1, 4}, "all", "", 1, "9.7.3.16"},
    {"rsqrt.approx.f64",       "", "", "d:dst(f64), a:val(f64)", {1, 4}, "all", "", 1, "9.7.3.16"},
    {"rsqrt.f32",              "", "", "d:dst(f32), a:val(f32)", {1, 0}, "all", "", 1, "9.7.3.16", "retired 1.4"},
    {"rsqrt.f64",              "", "", "d:dst(f64), a:val(f64)", {1, 0}, "all", "", 1, "9.7.3.16", "retired 1.4"},
    // §9.7.3.17 rsqrt
    {"rsqrt.approx.ftz.f64", "", "", "d:dst(f64), a:val(f64)", {4, 0}, "sm_20+", "", 1, "9.7.3.17"},
    // §9.7.3.18 sin
    {"sin.approx{.ftz}.f32", "", "", "d:dst(f32), a:val(f32)", {1, 4}, "all", "", 1, "9.7.3.18"},
    {"sin.f32",              "", "", "d:dst(f32), a:val(f32)", {1, 0}, "all", "", 1, "9.7.3.18", "retired 1.4"},
    // §9.7.3.19 cos
    {"cos.approx{.ftz}.f32", "", "", "d:dst(f32), a:val(f32)", {1, 4}, "all", "", 1, "9.7.3.19"},
    {"cos.f32",              "", "", "d:dst(f32), a:val(f32)", {1, 0}, "all", "", 1, "9.7.3.19", "retired 1.4"},
    // §9.7.3.20 lg2
    {"lg2.approx{.ftz}.f32", "", "", "d:dst(f32), a:val(f32)", {1, 4}, "all", "", 1, "9.7.3.20"},
    {"lg2.f32",              "", "", "d:dst(f32), a:val(f32)", {1, 0}, "all", "", 1, "9.7.3.20", "retired 1.4"},
    // §9.7.3.21 ex2
    {"ex2.approx{.ftz}.f32", "", "", "d:dst(f32), a:val(f32)", {1, 4}, "all", "", 1, "9.7.3.21"},
    {"ex2.f32",              "", "", "d:dst(f32), a:val(f32)", {1, 0}, "all", "", 1, "9.7.3.21", "retired 1.4"},
    // §9.7.3.22 tanh
    {"tanh.approx.f32", "", "", "d:dst(f32), a:val(f32)", {7, 0}, "sm_75+", "", 1, "9.7.3.22"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> FloatingPointInstructions() { return kFloatingPoint; }

}  // namespace ptxfarm::ptx::isa
