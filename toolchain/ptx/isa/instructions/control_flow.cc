// PTX ISA 9.4 §9.7.13 control flow.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kControlFlow[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.13.3 bra
    {"bra{.uni}", "", "", "tgt:label", {1, 0}, "all", "", 1, "9.7.13.3"},
    // §9.7.13.4 brx
    {"brx.idx{.uni}", "", "", "index:val(i32), tlist:targets", {6, 0}, "sm_30+", "", 2, "9.7.13.4"},
    // §9.7.13.5 call
    {"call{.uni}", "", "", "func:func",                                    {1, 0}, "all",    "", 1, "9.7.13.5"},
    {"call{.uni}", "", "", "func:func, params:args",                       {1, 0}, "all",    "", 1, "9.7.13.5"},
    {"call{.uni}", "", "", "ret:ret, func:func, params:args",              {1, 0}, "all",    "", 1, "9.7.13.5"},
    {"call{.uni}", "", "", "fptr:fptr, proto:proto",                       {2, 1}, "sm_20+", "", 1, "9.7.13.5"},
    {"call{.uni}", "", "", "fptr:fptr, params:args, proto:proto",          {2, 1}, "sm_20+", "", 1, "9.7.13.5"},
    {"call{.uni}", "", "", "ret:ret, fptr:fptr, params:args, proto:proto", {2, 1}, "sm_20+", "", 1, "9.7.13.5"},
    // §9.7.13.6 ret
    {"ret{.uni}", "", "", "", {1, 0}, "all", "", 1, "9.7.13.6"},
    // §9.7.13.7 exit
    {"exit", "", "", "", {1, 0}, "all", "", 1, "9.7.13.7"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> ControlFlowInstructions() { return kControlFlow; }

}  // namespace ptxfarm::ptx::isa
