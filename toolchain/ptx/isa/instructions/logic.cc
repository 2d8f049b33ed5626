// PTX ISA 9.4 §9.7.8 logic and shift.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kLogic[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.8.1 and
    {"and<T>",   "T=bits", "", "d:dst(T), a:val(T), b:val(T)", {1, 0}, "all", "", 1, "9.7.8.1"},
    {"and.pred", "",       "", "d:pdst, a:npred, b:npred",     {1, 0}, "all", "", 1, "9.7.8.1"},
    // §9.7.8.2 or
    {"or<T>",   "T=bits", "", "d:dst(T), a:val(T), b:val(T)", {1, 0}, "all", "", 1, "9.7.8.2"},
    {"or.pred", "",       "", "d:pdst, a:npred, b:npred",     {1, 0}, "all", "", 1, "9.7.8.2"},
    // §9.7.8.3 xor
    {"xor<T>",   "T=bits", "", "d:dst(T), a:val(T), b:val(T)", {1, 0}, "all", "", 1, "9.7.8.3"},
    {"xor.pred", "",       "", "d:pdst, a:npred, b:npred",     {1, 0}, "all", "", 1, "9.7.8.3"},
    // §9.7.8.4 not
    {"not<T>",   "T=bits", "", "d:dst(T), a:val(T)", {1, 0}, "all", "", 1, "9.7.8.4"},
    {"not.pred", "",       "", "d:pdst, a:npred",    {1, 0}, "all", "", 1, "9.7.8.4"},
    // §9.7.8.5 cnot
    {"cnot<T>", "T=bits", "", "d:dst(T), a:val(T)", {1, 0}, "all", "", 1, "9.7.8.5"},
    // §9.7.8.6 lop3
    {"lop3.b32",       "",              "", "d:dst_(b32), a:val(b32), b:val(b32), c:val(b32), immLut:imm(0..255)",               {4, 3}, "sm_50+", "", 1, "9.7.8.6"},
    {"lop3<bool>.b32", "bool=.or|.and", "", "d:dst_(b32)|pdst, a:val(b32), b:val(b32), c:val(b32), immLut:imm(0..255), q:npred", {8, 2}, "sm_70+", "", 1, "9.7.8.6"},
    // §9.7.8.7 shf
    {"shf(.l|.r)<mode>.b32", "mode=.clamp|.wrap", "", "d:dst(b32), a:val(b32), b:val(b32), c:val(u32)", {3, 1}, "sm_32+", "", 2, "9.7.8.7"},
    // §9.7.8.8 shl
    {"shl<T>", "T=bits", "", "d:dst(T), a:val(T), b:val(u32)", {1, 0}, "all", "", 1, "9.7.8.8"},
    // §9.7.8.9 shr
    {"shr<T>", "T=.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64", "", "d:dst(T), a:val(T), b:val(u32)", {1, 0}, "all", "", 1, "9.7.8.9"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> LogicInstructions() { return kLogic; }

}  // namespace ptxfarm::ptx::isa
