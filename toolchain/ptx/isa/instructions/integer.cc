// PTX ISA 9.4 §9.7.1 integer arithmetic, §9.7.2 extended precision.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kInteger[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.1.1 add
    {"add<T>",       "T=int",                "", "d:dst(T), a:val(T), b:val(T)",       {1, 0}, "all",      "", 1, "9.7.1.1"},
    {"add.sat.s32",  "",                     "", "d:dst(s32), a:val(s32), b:val(s32)", {1, 0}, "all",      "", 1, "9.7.1.1"},
    {"add<T>",       "T=.u16x2|.s16x2",      "", "d:dst(T), a:reg(T), b:reg(T)",       {8, 0}, "sm_90+",   "", 1, "9.7.1.1"},
    {"add{.sat}<T>", "T=.u8x4|.s8x4",        "", "d:dst(T), a:val(T), b:val(T)",       {9, 2}, "sm_120f+", "", 1, "9.7.1.1"},
    {"add.sat<T>",   "T=.u16x2|.s16x2|.u32", "", "d:dst(T), a:val(T), b:val(T)",       {9, 2}, "sm_120f+", "", 1, "9.7.1.1"},
    // §9.7.1.2 sub
    {"sub<T>",       "T=int",         "", "d:dst(T), a:val(T), b:val(T)",       {1, 0}, "all",      "", 1, "9.7.1.2"},
    {"sub.sat.s32",  "",              "", "d:dst(s32), a:val(s32), b:val(s32)", {1, 0}, "all",      "", 1, "9.7.1.2"},
    {"sub{.sat}<T>", "T=.u8x4|.s8x4", "", "d:dst(T), a:val(T), b:val(T)",       {9, 2}, "sm_120f+", "", 1, "9.7.1.2"},
    // §9.7.1.3 mul
    {"mul<mode><T>", "mode=.hi|.lo; T=int",   "", "d:dst(T), a:val(T), b:val(T)",    {1, 0}, "all", "", 2, "9.7.1.3"},
    {"mul.wide<T>",  "T=.u16|.s16|.u32|.s32", "", "d:dst(W(T)), a:val(T), b:val(T)", {1, 0}, "all", "", 2, "9.7.1.3"},
    // §9.7.1.4 mad
    {"mad<mode><T>",   "mode=.hi|.lo; T=int",   "", "d:dst(T), a:val(T), b:val(T), c:val(T)",         {1, 0}, "all", "", 2, "9.7.1.4"},
    {"mad.wide<T>",    "T=.u16|.s16|.u32|.s32", "", "d:dst(W(T)), a:val(T), b:val(T), c:val(W(T))",   {1, 0}, "all", "", 2, "9.7.1.4"},
    {"mad.hi.sat.s32", "",                      "", "d:dst(s32), a:val(s32), b:val(s32), c:val(s32)", {1, 0}, "all", "", 2, "9.7.1.4"},
    // §9.7.1.5 clmad
    {"clmad<mode>.u64", "mode=.hi|.lo", "", "d:dst(u64), a:val(u64), b:val(u64), c:val(u64)", {9, 3}, "sm_80+", "", 1, "9.7.1.5"},
    // §9.7.1.6 mul24
    {"mul24<mode><T>", "mode=.hi|.lo; T=int32", "", "d:dst(T), a:val(T), b:val(T)", {1, 0}, "all", "", 2, "9.7.1.6"},
    // §9.7.1.7 mad24
    {"mad24<mode><T>",   "mode=.hi|.lo; T=int32", "", "d:dst(T), a:val(T), b:val(T), c:val(T)",         {1, 0}, "all", "", 2, "9.7.1.7"},
    {"mad24.hi.sat.s32", "",                      "", "d:dst(s32), a:val(s32), b:val(s32), c:val(s32)", {1, 0}, "all", "", 2, "9.7.1.7"},
    // §9.7.1.8 sad
    {"sad<T>", "T=int", "", "d:dst(T), a:val(T), b:val(T), c:val(T)", {1, 0}, "all", "", 1, "9.7.1.8"},
    // §9.7.1.9 div
    {"div<T>", "T=int", "", "d:dst(T), a:val(T), b:val(T)", {1, 0}, "all", "", 1, "9.7.1.9"},
    // §9.7.1.10 rem
    {"rem<T>", "T=int", "", "d:dst(T), a:val(T), b:val(T)", {1, 0}, "all", "", 1, "9.7.1.10"},
    // §9.7.1.11 abs
    {"abs<T>", "T=.s16|.s32|.s64", "", "d:dst(T), a:val(T)", {1, 0}, "all", "", 1, "9.7.1.11"},
    // §9.7.1.12 neg
    {"neg<T>",   "T=.s16|.s32|.s64", "", "d:dst(T), a:val(T)",       {1, 0}, "all",      "", 1, "9.7.1.12"},
    {"neg.s8x4", "",                 "", "d:dst(s8x4), a:val(s8x4)", {9, 2}, "sm_120f+", "", 1, "9.7.1.12"},
    // §9.7.1.13 min
    {"min<T>",          "T=int",           "", "d:dst(T), a:val(T), b:val(T)",          {1, 0}, "all",      "", 1, "9.7.1.13"},
    {"min<T>",          "T=.u16x2|.s16x2", "", "d:dst(T), a:reg(T), b:reg(T)",          {8, 0}, "sm_90+",   "", 1, "9.7.1.13"},
    {"min.relu<T>",     "T=.s16x2|.s32",   "", "d:dst(T), a:val(T), b:val(T)",          {8, 0}, "sm_90+",   "", 1, "9.7.1.13"},
    {"min.u8x4",        "",                "", "d:dst(u8x4), a:val(u8x4), b:val(u8x4)", {9, 2}, "sm_120f+", "", 1, "9.7.1.13"},
    {"min{.relu}.s8x4", "",                "", "d:dst(s8x4), a:val(s8x4), b:val(s8x4)", {9, 2}, "sm_120f+", "", 1, "9.7.1.13"},
    // §9.7.1.14 max
    {"max<T>",          "T=int",           "", "d:dst(T), a:val(T), b:val(T)",          {1, 0}, "all",      "", 1, "9.7.1.14"},
    {"max<T>",          "T=.u16x2|.s16x2", "", "d:dst(T), a:reg(T), b:reg(T)",          {8, 0}, "sm_90+",   "", 1, "9.7.1.14"},
    {"max.relu<T>",     "T=.s16x2|.s32",   "", "d:dst(T), a:val(T), b:val(T)",          {8, 0}, "sm_90+",   "", 1, "9.7.1.14"},
    {"max.u8x4",        "",                "", "d:dst(u8x4), a:val(u8x4), b:val(u8x4)", {9, 2}, "sm_120f+", "", 1, "9.7.1.14"},
    {"max{.relu}.s8x4", "",                "", "d:dst(s8x4), a:val(s8x4), b:val(s8x4)", {9, 2}, "sm_120f+", "", 1, "9.7.1.14"},
    // §9.7.1.15 popc
    {"popc<T>", "T=bits32_64", "", "d:dst(u32), a:val(T)", {2, 0}, "sm_20+", "", 1, "9.7.1.15"},
    // §9.7.1.16 clz
    {"clz<T>", "T=bits32_64", "", "d:dst(u32), a:val(T)", {2, 0}, "sm_20+", "", 1, "9.7.1.16"},
    // §9.7.1.17 bfind
    {"bfind{.shiftamt}<T>", "T=.u32|.u64|.s32|.s64", "", "d:dst(u32), a:val(T)", {2, 0}, "sm_20+", "", 1, "9.7.1.17"},
    // §9.7.1.18 fns
    {"fns.b32", "", "", "d:dst(b32), mask:val(b32), base:val(bits(u32)), offset:val(bits(u32))", {6, 0}, "sm_30+", "", 1, "9.7.1.18"},
    // §9.7.1.19 brev
    {"brev<T>", "T=bits32_64", "", "d:dst(T), a:val(T)", {2, 0}, "sm_20+", "", 1, "9.7.1.19"},
    // §9.7.1.20 bfe
    {"bfe<T>", "T=.u32|.u64|.s32|.s64", "", "d:dst(T), a:val(T), b:val(u32), c:val(u32)", {2, 0}, "sm_20+", "", 1, "9.7.1.20"},
    // §9.7.1.21 bfi
    {"bfi<T>", "T=bits32_64", "", "f:dst(T), a:val(T), b:val(T), c:val(u32), d:val(u32)", {2, 0}, "sm_20+", "", 1, "9.7.1.21"},
    // §9.7.1.22 szext
    {"szext<mode><T>", "mode=.clamp|.wrap; T=int32", "", "d:dst(T), a:val(T), b:val(u32)", {7, 6}, "sm_70+", "", 1, "9.7.1.22"},
    // §9.7.1.23 bmsk
    {"bmsk<mode>.b32", "mode=.clamp|.wrap", "", "d:dst(int(b32)), a:val(u32), b:val(u32)", {7, 6}, "sm_70+", "", 1, "9.7.1.23"},
    // §9.7.1.24 dp4a
    {"dp4a<A><B>", "A=int32; B=int32", "", "d:dst(u32), a:val(u32), b:val(u32), c:val(u32)", {5, 0}, "sm_61+", "", 1, "9.7.1.24"},
    // §9.7.1.25 dp2a
    {"dp2a<mode><A><B>", "mode=.lo|.hi; A=int32; B=int32", "", "d:dst(u32), a:val(u32), b:val(u32), c:val(u32)", {5, 0}, "sm_61+", "", 2, "9.7.1.25"},
    // §9.7.2.1 add
    {"add.cc<T>", "T=.u32|.s32|.u64|.s64", "", "d:dst(T), a:val(T), b:val(T)", {1, 2}, "all", ".s64|.u64: 4.3 sm_20+", 1, "9.7.2.1"},
    // §9.7.2.2 addc
    {"addc{.cc}<T>", "T=.u32|.s32|.u64|.s64", "", "d:dst(T), a:val(T), b:val(T)", {1, 2}, "all", ".cc & .s64: 4.3 sm_20+; .cc & .u64: 4.3 sm_20+", 1, "9.7.2.2"},
    // §9.7.2.3 sub
    {"sub.cc<T>", "T=.u32|.s32|.u64|.s64", "",
     "d:dst(T), a:val(T), b:val(T)", {1, 3}, "all", ".s64|.u64: 4.3 sm_20+", 1, "9.7.2.3", "", "the manual has it from 1.2"},
    // §9.7.2.4 subc
    {"subc{.cc}<T>", "T=.u32|.s32|.u64|.s64", "",
     "d:dst(T), a:val(T), b:val(T)", {1, 3}, "all", ".cc & .s64: 4.3 sm_20+; .cc & .u64: 4.3 sm_20+", 1, "9.7.2.4", "", "the manual has it from 1.2"},
    // §9.7.2.5 mad
    {"mad<mode>.cc<T>", "mode=.hi|.lo; T=.u32|.s32|.u64|.s64", "", "d:dst(T), a:val(T), b:val(T), c:val(T)", {3, 0}, "sm_20+", ".s64|.u64: 4.3", 2, "9.7.2.5"},
    // §9.7.2.6 madc
    {"madc<mode>{.cc}<T>", "mode=.hi|.lo; T=.u32|.s32|.u64|.s64", "",
     "d:dst(T), a:val(T), b:val(T), c:val(T)", {3, 0}, "sm_20+", ".cc & .s64: 4.3; .cc & .u64: 4.3", 2, "9.7.2.6"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> IntegerInstructions() { return kInteger; }

}  // namespace ptxfarm::ptx::isa
