// PTX ISA 9.4 §9.7.18 stack, §9.7.20 miscellaneous.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kMiscellaneous[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.18.1 stacksave
    {"stacksave.u64", "", "", "d:dst(u64)", {7, 3}, "sm_52+", "", 1, "9.7.18.1"},
    // §9.7.18.2 stackrestore
    {"stackrestore.u64", "", "", "a:reg(u64)", {7, 3}, "sm_52+", "", 1, "9.7.18.2"},
    // §9.7.18.3 alloca
    {"alloca.u64", "", "", "ptr:dst(u64), size:val(u64), align:imm(16)?", {7, 3}, "sm_52+", "", 1, "9.7.18.3"},
    // §9.7.20.1 brkpt
    {"brkpt", "", "", "", {1, 0}, "sm_11+", "", 1, "9.7.20.1"},
    // §9.7.20.2 nanosleep
    {"nanosleep.u32", "", "", "t:val(u32)", {6, 2}, "sm_70+", "", 1, "9.7.20.2"},
    // §9.7.20.3 pmevent
    {"pmevent",      "", "", "a:imm(0..15)",    {1, 4}, "all",    "", 1, "9.7.20.3"},
    {"pmevent.mask", "", "", "a:imm(0..65535)", {3, 0}, "sm_20+", "", 1, "9.7.20.3"},
    // §9.7.20.4 trap
    {"trap", "", "", "", {1, 0}, "all", "", 1, "9.7.20.4"},
    // §9.7.20.5 setmaxnreg
    {"setmaxnreg(.inc|.dec).sync.aligned.u32", "", "", "n:imm(24..256 by 8)", {8, 0}, "sm_100f+|sm_120f+|sm_110f+|sm_90a", "", 2, "9.7.20.5"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> MiscellaneousInstructions() { return kMiscellaneous; }

}  // namespace ptxfarm::ptx::isa
