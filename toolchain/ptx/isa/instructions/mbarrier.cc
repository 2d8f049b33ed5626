// PTX ISA 9.4 §9.7.14.16–9.7.14.19 mbarrier, tensor map fences, cluster launch control.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kMbarrier[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.14.16 cp, mbarrier
    {"cp.async.mbarrier.arrive{.noinc}{.shared|.shared::cta}.b64",                             "", "", "a:addr(i32)",                         {7, 0}, "sm_80+", ".shared::cta: 7.8", 4, "9.7.14.16"},
    {"mbarrier.init{.shared|.shared::cta}.b64",                                                "", "", "a:addr, count:val(u32)",              {7, 0}, "sm_80+", ".shared::cta: 7.8", 2, "9.7.14.16"},
    {"mbarrier.init(.layout::v0|.layout::v1){.shared|.shared::cta}.b64",                       "", "", "a:addr(i32), count:val(i32)",         {9, 3}, "sm_90+", "",                  1, "9.7.14.16"},
    {"mbarrier.inval{.shared|.shared::cta}.b64",                                               "", "", "a:addr",                              {7, 0}, "sm_80+", ".shared::cta: 7.8", 2, "9.7.14.16"},
    {"mbarrier.expect_tx{.relaxed(.cta|.cluster)}{.shared|.shared::cta|.shared::cluster}.b64", "", "", "a:addr, tx:val(u32)",                 {8, 0}, "sm_90+", "",                  2, "9.7.14.16"},
    {"mbarrier.complete_tx{.relaxed(.cta|.cluster)}{.shared|.shared::cta|.shared::cluster}.b64", "", "",
     "a:addr, tx:val(u32)", {8, 0}, "sm_90+", "", 2, "9.7.14.16"},
    {"mbarrier.arrive{(.release|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "state:dst_(int(b64)), a:addr, count:val(i32)?", {7, 0}, "sm_80+",
     ".cluster: sm_90+; .relaxed: 8.6 sm_90+; .release: 8.0; .shared::cta: 7.8; operand count: 7.8 sm_90+", 2, "9.7.14.16"},
    {"mbarrier.arrive{(.release|.relaxed)(.cta|.cluster)}.shared::cluster.b64", "", "",
     "state:sink, a:addr, count:val(i32)?", {8, 0}, "sm_90+", ".relaxed: 8.6", 2, "9.7.14.16"},
    {"mbarrier.arrive.expect_tx{(.release|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "state:dst_(int(b64)), a:addr, tx:val(u32)", {8, 0}, "sm_90+", ".relaxed: 8.6", 3, "9.7.14.16"},
    {"mbarrier.arrive.expect_tx{(.release|.relaxed)(.cta|.cluster)}.shared::cluster.b64", "", "",
     "state:sink, a:addr, tx:val(u32)", {8, 0}, "sm_90+", ".relaxed: 8.6", 3, "9.7.14.16"},
    {"mbarrier.arrive.noComplete{.release.cta}{.shared|.shared::cta}.b64", "", "",
     "state:dst_(int(b64)), a:addr, count:val(u32)", {7, 0}, "sm_80+", ".release: 8.0; .shared::cta: 7.8", 2, "9.7.14.16"},
    {"mbarrier.arrive_drop{(.release|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "state:dst_(int(b64)), a:addr, count:val(i32)?", {7, 0}, "sm_80+",
     ".cluster: sm_90+; .relaxed: 8.6 sm_90+; .release: 8.0; .shared::cta: 7.8; operand count: 7.8 sm_90+", 2, "9.7.14.16"},
    {"mbarrier.arrive_drop{(.release|.relaxed)(.cta|.cluster)}.shared::cluster.b64", "", "",
     "state:sink, a:addr, count:val(i32)?", {8, 0}, "sm_90+", ".relaxed: 8.6", 2, "9.7.14.16"},
    {"mbarrier.arrive_drop.expect_tx{(.release|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "state:dst_(int(b64)), a:addr, tx:val(u32)", {8, 0}, "sm_90+", ".relaxed: 8.6", 3, "9.7.14.16"},
    {"mbarrier.arrive_drop.expect_tx{(.release|.relaxed)(.cta|.cluster)}.shared::cluster.b64", "", "",
     "state:sink, a:addr, tx:val(u32)", {8, 0}, "sm_90+", ".relaxed: 8.6", 3, "9.7.14.16"},
    {"mbarrier.arrive_drop.noComplete{.release.cta}{.shared|.shared::cta}.b64", "", "",
     "state:dst_(int(b64)), a:addr, count:val(u32)", {7, 0}, "sm_80+", ".release: 8.0; .shared::cta: 7.8", 2, "9.7.14.16"},
    {"mbarrier.test_wait{(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst, a:addr, state:val(int(b64))", {7, 0}, "sm_80+", ".cluster: 8.0 sm_90+; .cta: 8.0; .relaxed: 8.6 sm_90+; .shared::cta: 7.8", 2, "9.7.14.16"},
    {"mbarrier.test_wait.parity{(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst, a:addr, parity:val(u32)", {7, 1}, "sm_80+", ".cluster: 8.0 sm_90+; .cta: 8.0; .relaxed: 8.6 sm_90+; .shared::cta: 7.8", 3, "9.7.14.16"},
    {"mbarrier.try_wait{(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst, a:addr, state:val(int(b64)), hint:val(i32)?", {7, 8}, "sm_90+", ".cluster|.cta: 8.0; .relaxed: 8.6", 2, "9.7.14.16"},
    {"mbarrier.try_wait.parity{(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst, a:addr, parity:val(u32), hint:val(i32)?", {7, 8}, "sm_90+", ".cluster|.cta: 8.0; .relaxed: 8.6", 3, "9.7.14.16"},
    {"mbarrier.test_wait.phase_type::primary{(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst, a:addr(i32), state:reg(b64)", {9, 3}, "sm_90+", "", 1, "9.7.14.16"},
    {"mbarrier.test_wait.parity(.phase_type::primary|.phase_type::conditional){(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst, a:addr(i32), parity:val(i32)", {9, 3}, "sm_90+", "", 1, "9.7.14.16"},
    {"mbarrier.test_wait.phase_type::primary{(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst|pdst, report:dst(b64)?, a:addr(i32), state:reg(b64)", {9, 3}, "sm_90+", "", 1, "9.7.14.16"},
    {"mbarrier.test_wait.parity.phase_type::primary{(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst|pdst, report:dst(b64)?, a:addr(i32), parity:val(i32)", {9, 3}, "sm_90+", "", 1, "9.7.14.16"},
    {"mbarrier.try_wait.phase_type::primary{(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst, a:addr(i32), state:reg(b64), hint:val(i32)?", {9, 3}, "sm_90+", "", 1, "9.7.14.16"},
    {"mbarrier.try_wait.parity(.phase_type::primary|.phase_type::conditional){(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst, a:addr(i32), parity:val(i32), hint:val(i32)?", {9, 3}, "sm_90+", "", 1, "9.7.14.16"},
    {"mbarrier.try_wait.phase_type::primary{(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst|pdst, report:dst(b64)?, a:addr(i32), state:reg(b64), hint:val(i32)?", {9, 3}, "sm_90+", "", 1, "9.7.14.16"},
    {"mbarrier.try_wait.parity.phase_type::primary{(.acquire|.relaxed)(.cta|.cluster)}{.shared|.shared::cta}.b64", "", "",
     "w:pdst|pdst, report:dst(b64)?, a:addr(i32), parity:val(i32), hint:val(i32)?", {9, 3}, "sm_90+", "", 1, "9.7.14.16"},
    {"mbarrier.pending_count.b64",                                                             "", "", "count:dst(u32), state:val(int(b64))", {7, 0}, "sm_80+", "",                  2, "9.7.14.16"},
    {"mbarrier.pending_count.layout::v0.b64",                                                  "", "", "count:dst(i32), state:reg(b64)",      {9, 3}, "sm_90+", "",                  1, "9.7.14.16"},
    {"mbarrier.check_layout(.layout::v0|.layout::v1){.shared::cta}.b64",                       "", "", "p:pdst, a:addr(i32)",                 {9, 3}, "sm_90+", "",                  1, "9.7.14.16"},
    {"mbarrier(.expect_tx|.complete_tx){.relaxed(.cta|.cluster)}.shared::cluster.multicast::cluster::32b.b64", "", "",
     "a:addr(i32), tx:val(u32), mask:reg(u32)", {9, 4}, "sm_107f+", "", 1, "9.7.14.16", "", "reported only"},
    {"mbarrier(.arrive|.arrive_drop){.expect_tx}{(.release|.relaxed)(.cta|.cluster)}.shared::cluster.multicast::cluster::32b.b64", "", "",
     "d:sink, a:addr(i32), n:val(u32)?, mask:reg(u32)", {9, 4}, "sm_107f+", "", 1, "9.7.14.16", "", "reported only: count is optional without .expect_tx"},
    // §9.7.14.17 tensormap
    {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release<scope>.sync.aligned", "", "",
     "dst:addr, src:addr, size:imm(128)", {8, 3}, "sm_90+", "", 2, "9.7.14.17"},
    // §9.7.14.18 clusterlaunchcontrol
    {"clusterlaunchcontrol.try_cancel.async{.shared::cta}.mbarrier::complete_tx::bytes{.multicast::cluster::all}.b128", "", "",
     "a:addr, mbar:addr", {8, 6}, "sm_100+", ".multicast::cluster::all: sm_100f+|sm_120f+|sm_110f+", 3, "9.7.14.18"},
    // §9.7.14.19 clusterlaunchcontrol
    {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128",       "", "", "p:pdst, resp:val(b128)",          {8, 6}, "sm_100+", "", 2, "9.7.14.19"},
    {"clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128", "", "", "d:dvec_(4, b32), resp:val(b128)", {8, 6}, "sm_100+", "", 2, "9.7.14.19"},
    {"clusterlaunchcontrol.query_cancel(.get_first_ctaid::x|.get_first_ctaid::y|.get_first_ctaid::z).b32.b128", "", "",
     "d:dst(b32), resp:val(b128)", {8, 6}, "sm_100+", "", 2, "9.7.14.19"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> MbarrierInstructions() { return kMbarrier; }

}  // namespace ptxfarm::ptx::isa
