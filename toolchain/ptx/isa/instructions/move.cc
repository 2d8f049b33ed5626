// PTX ISA 9.4 §9.7.9.1–9.7.9.7 moves, shuffles and permutes.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kMove[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.9.3 mov
    {"mov<T>",          "T=scalar",    "",                                            "d:dst(T), a:any(T)",                        {1, 0}, "all",    "", 1, "9.7.9.3"},
    {"mov.pred",        "",            "",                                            "d:pdst, a:npred",                           {1, 0}, "all",    "", 1, "9.7.9.3"},
    {"mov<T>",          "T=bits32_64", "",                                            "d:dst(T), a:svec(T{.b32:2; .b64:4}, b16)",  {1, 0}, "all",    "", 1, "9.7.9.3"},
    {"mov.b64",         "",            "",                                            "d:dst(b64), a:svec(2, b32)",                {1, 0}, "all",    "", 1, "9.7.9.3"},
    {"mov.b128",        "",            "",                                            "d:dst(b128), a:svec(2, b64)",               {8, 3}, "sm_70+", "", 1, "9.7.9.3"},
    {"mov.b16",         "",            "",                                            "d:dst(b16), a:svec(2, b8)",                 {1, 0}, "all",    "", 1, "9.7.9.3"},
    {"mov.b32",         "",            "",                                            "d:dst(b32), a:svec(4, b8)",                 {1, 0}, "all",    "", 1, "9.7.9.3"},
    {"mov<T>",          "T=bits32_64", "",                                            "d:dvec_(T{.b32:2; .b64:4}, b16), a:any(T)", {1, 0}, "all",    "", 1, "9.7.9.3"},
    {"mov.b64",         "",            "",                                            "d:dvec_(2, b32), a:any(b64)",               {1, 0}, "all",    "", 1, "9.7.9.3"},
    {"mov.b128",        "",            "",                                            "d:dvec_(2, b64), a:any(b128)",              {8, 3}, "sm_70+", "", 1, "9.7.9.3"},
    {"mov.b16",         "",            "",                                            "d:dvec_(2, b8), a:any(b16)",                {1, 0}, "all",    "", 1, "9.7.9.3"},
    {"mov.b32",         "",            "",                                            "d:dvec_(4, b8), a:any(b32)",                {1, 0}, "all",    "", 1, "9.7.9.3"},
    {"mov.b128",        "",            "",                                            "d:dst(b128), a:any(b128)",                  {8, 3}, "sm_70+", "", 1, "9.7.9.3"},
    {"mov(.v2|.v4)<T>", "T=scalar",    ".v4 => T=.b16|.b32|.u16|.u32|.s16|.s32|.f32", "d:dvec(vec, T), a:anyvec(vec, T)",          {1, 0}, "all",    "", 1, "9.7.9.3"},
    // §9.7.9.5 shfl
    {"shfl(.up|.down|.bfly|.idx).b32", "", "",
     "d:dst(b32)|pdst?, a:val(b32), b:val(b32), c:val(b32)", {3, 0}, "sm_30+", "", 1, "9.7.9.5", "deprecated 6.0; retired 6.4 sm_70+"},
    // §9.7.9.6 shfl
    {"shfl.sync(.up|.down|.bfly|.idx).b32", "", "",
     "d:dst(b32)|pdst?, a:val(b32), b:val(b32), c:val(b32), membermask:val(int(b32))", {6, 0}, "sm_30+", "", 1, "9.7.9.6"},
    // §9.7.9.7 prmt
    {"prmt.b32{.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}", "", "", "d:dst(b32), a:val(b32), b:val(b32), c:val(b32)", {2, 0}, "sm_20+", "", 1, "9.7.9.7"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> MoveInstructions() { return kMove; }

}  // namespace ptxfarm::ptx::isa
