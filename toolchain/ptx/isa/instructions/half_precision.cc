// PTX ISA 9.4 §9.7.4 half precision, §9.7.5 mixed precision.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kHalfPrecision[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.4.1 add
    {"add{.rn}{.ftz}{.sat}<T>", "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T), b:reg(T)", {4, 2}, "sm_53+", "", 1, "9.7.4.1"},
    {"add{.rn}<T>",             "T=.bf16|.bf16x2", "", "d:dst(T), a:reg(T), b:reg(T)", {7, 8}, "sm_90+", "", 1, "9.7.4.1"},
    {"add{.rn}<T>", "T=fp8_6_4x4", "",
     "d:dst(T), a:reg(T), b:reg(T)", {9, 4}, "sm_100a|sm_103a",
     "", 1, "9.7.4.1", "", "reported only: packed 8/6/4-bit floats; existence reported, exact modifiers unconfirmed"},
    // §9.7.4.2 sub
    {"sub{.rn}{.ftz}{.sat}<T>", "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T), b:reg(T)", {4, 2}, "sm_53+", "", 1, "9.7.4.2"},
    {"sub{.rn}<T>",             "T=.bf16|.bf16x2", "", "d:dst(T), a:reg(T), b:reg(T)", {7, 8}, "sm_90+", "", 1, "9.7.4.2"},
    {"sub{.rn}<T>", "T=fp8_6_4x4", "",
     "d:dst(T), a:reg(T), b:reg(T)", {9, 4}, "sm_100a|sm_103a",
     "", 1, "9.7.4.2", "", "reported only: packed 8/6/4-bit floats; existence reported, exact modifiers unconfirmed"},
    // §9.7.4.3 mul
    {"mul{.rn}{.ftz}{.sat}<T>", "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T), b:reg(T)", {4, 2}, "sm_53+", "", 1, "9.7.4.3"},
    {"mul{.rn}<T>",             "T=.bf16|.bf16x2", "", "d:dst(T), a:reg(T), b:reg(T)", {7, 8}, "sm_90+", "", 1, "9.7.4.3"},
    {"mul{.rn}<T>", "T=fp8_6_4x4", "",
     "d:dst(T), a:reg(T), b:reg(T)", {9, 4}, "sm_100a|sm_103a",
     "", 1, "9.7.4.3", "", "reported only: packed 8/6/4-bit floats; existence reported, exact modifiers unconfirmed"},
    // §9.7.4.4 fma
    {"fma.rn{.ftz}{.sat}<T>", "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T), b:reg(T), c:reg(T)", {4, 2}, "sm_53+", "", 1, "9.7.4.4"},
    {"fma.rn{.ftz}.relu<T>",  "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T), b:reg(T), c:reg(T)", {7, 0}, "sm_80+", "", 1, "9.7.4.4"},
    {"fma.rn{.relu}<T>",      "T=.bf16|.bf16x2", "", "d:dst(T), a:reg(T), b:reg(T), c:reg(T)", {7, 0}, "sm_80+", "", 1, "9.7.4.4"},
    {"fma.rn.oob{.relu}<T>",  "T=half",          "", "d:dst(T), a:reg(T), b:reg(T), c:reg(T)", {8, 1}, "sm_90+", "", 1, "9.7.4.4"},
    {"fma{.rn}<T>", "T=fp8_6_4x4", "",
     "d:dst(T), a:reg(T), b:reg(T), c:reg(T)", {9, 4}, "sm_100a|sm_103a",
     "", 1, "9.7.4.4", "", "reported only: packed 8/6/4-bit floats; existence reported, exact modifiers unconfirmed"},
    // §9.7.4.5 neg
    {"neg{.ftz}<T>", "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T)", {6, 0}, "sm_53+", "", 1, "9.7.4.5"},
    {"neg<T>",       "T=.bf16|.bf16x2", "", "d:dst(T), a:reg(T)", {7, 0}, "sm_80+", "", 1, "9.7.4.5"},
    // §9.7.4.6 abs
    {"abs{.ftz}<T>", "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T)", {6, 5}, "sm_53+", "", 1, "9.7.4.6"},
    {"abs<T>",       "T=.bf16|.bf16x2", "", "d:dst(T), a:reg(T)", {7, 0}, "sm_80+", "", 1, "9.7.4.6"},
    // §9.7.4.7 min
    {"min{.ftz}{.NaN}{.xorsign.abs}<T>", "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T), b:reg(T)", {7, 0}, "sm_80+", ".xorsign: 7.2 sm_86+", 1, "9.7.4.7"},
    {"min{.NaN}{.xorsign.abs}<T>",       "T=.bf16|.bf16x2", "", "d:dst(T), a:reg(T), b:reg(T)", {7, 0}, "sm_80+", ".xorsign: 7.2 sm_86+", 1, "9.7.4.7"},
    // §9.7.4.8 max
    {"max{.ftz}{.NaN}{.xorsign.abs}<T>", "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T), b:reg(T)", {7, 0}, "sm_80+", ".xorsign: 7.2 sm_86+", 1, "9.7.4.8"},
    {"max{.NaN}{.xorsign.abs}<T>",       "T=.bf16|.bf16x2", "", "d:dst(T), a:reg(T), b:reg(T)", {7, 0}, "sm_80+", ".xorsign: 7.2 sm_86+", 1, "9.7.4.8"},
    // §9.7.4.9 tanh
    {"tanh.approx<T>", "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T)", {7, 0}, "sm_75+", "", 1, "9.7.4.9"},
    {"tanh.approx<T>", "T=.bf16|.bf16x2", "", "d:dst(T), a:reg(T)", {7, 8}, "sm_90+", "", 1, "9.7.4.9"},
    // §9.7.4.10 ex2
    {"ex2.approx<T>",     "T=.f16|.f16x2",   "", "d:dst(T), a:reg(T)", {7, 0}, "sm_75+", "", 1, "9.7.4.10"},
    {"ex2.approx.ftz<T>", "T=.bf16|.bf16x2", "", "d:dst(T), a:reg(T)", {7, 8}, "sm_90+", "", 1, "9.7.4.10"},
    // §9.7.5 mul
    {"mul.rz.ftz.f16x2.f32x2.f32x2", "", "", "d:dst(f16x2), a:reg(f32x2), b:reg(f32x2)",   {9, 4}, "sm_107f+", "", 1, "9.7.5", "", "reported only"},
    {"mul.rz.bf16x2.f32x2.f32x2",    "", "", "d:dst(bf16x2), a:reg(f32x2), b:reg(f32x2)",  {9, 4}, "sm_107f+", "", 1, "9.7.5", "", "reported only"},
    {"mul.bf16x2.bf16x2.f16x2",      "", "", "d:dst(bf16x2), a:reg(bf16x2), b:reg(f16x2)", {9, 4}, "sm_107f+", "", 1, "9.7.5", "", "reported only"},
    {"mul.f16x2.f16x2.bf16x2",       "", "", "d:dst(f16x2), a:reg(f16x2), b:reg(bf16x2)",  {9, 4}, "sm_107f+", "", 1, "9.7.5", "", "reported only"},
    // §9.7.5.1 add
    {"add{<rnd>}{.sat}.f32<A>",      "A=.f16|.bf16", "", "d:dst(f32), a:val(A), c:val(f32)",          {8, 6}, "sm_100+",  "", 1, "9.7.5.1"},
    {"add{<rnd>}.f32x2<A>.f32x2", "A=.f16x2|.bf16x2", "",
     "d:dst(f32x2), a:reg(A), c:reg(f32x2)", {9, 4}, "sm_107f+", "", 1, "9.7.5.1", "", "reported only: packed widening add"},
    {"add.rz.ftz.f16x2.f32x2.f32x2", "",             "", "d:dst(f16x2), a:reg(f32x2), b:reg(f32x2)",  {9, 4}, "sm_107f+", "", 1, "9.7.5.1", "", "reported only"},
    {"add.rz.bf16x2.f32x2.f32x2",    "",             "", "d:dst(bf16x2), a:reg(f32x2), b:reg(f32x2)", {9, 4}, "sm_107f+", "", 1, "9.7.5.1", "", "reported only"},
    // §9.7.5.2 sub
    {"sub{<rnd>}{.sat}.f32<A>",      "A=.f16|.bf16", "", "d:dst(f32), a:val(A), c:val(f32)",          {8, 6}, "sm_100+",  "", 1, "9.7.5.2"},
    {"sub{<rnd>}.f32x2<A>.f32x2", "A=.f16x2|.bf16x2", "",
     "d:dst(f32x2), a:reg(A), c:reg(f32x2)", {9, 4}, "sm_107f+", "", 1, "9.7.5.2", "", "reported only: packed widening sub"},
    {"sub.rz.ftz.f16x2.f32x2.f32x2", "",             "", "d:dst(f16x2), a:reg(f32x2), b:reg(f32x2)",  {9, 4}, "sm_107f+", "", 1, "9.7.5.2", "", "reported only"},
    {"sub.rz.bf16x2.f32x2.f32x2",    "",             "", "d:dst(bf16x2), a:reg(f32x2), b:reg(f32x2)", {9, 4}, "sm_107f+", "", 1, "9.7.5.2", "", "reported only"},
    // §9.7.5.3 fma
    {"fma<rnd>{.sat}.f32<A>", "A=.f16|.bf16", "", "d:dst(f32), a:val(A), b:val(A), c:val(f32)", {8, 6}, "sm_100+", "", 1, "9.7.5.3"},
    {"fma<rnd>.f32x2<A>.f32x2.f32x2", "A=.f16x2|.bf16x2", "",
     "d:dst(f32x2), a:reg(A), b:reg(f32x2), c:reg(f32x2)", {9, 4}, "sm_107f+", "", 1, "9.7.5.3", "", "reported only"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> HalfPrecisionInstructions() { return kHalfPrecision; }

}  // namespace ptxfarm::ptx::isa
