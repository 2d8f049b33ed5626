// PTX ISA 9.4 §9.7.14.1–9.7.14.4 barriers and fences, §9.7.14.9–9.7.14.15 warps and grids.
#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// clang-format off
constexpr InstructionRow kSynchronization[] = {
    // syntax, sets, rules, operands, since, targets, gates, head, section
    // §9.7.14.1 barrier, bar
    {"barrier{.cta}.sync{.aligned}",         "", "", "a:val(u32, 0..15), b:val(i32, 0.. by 32)?",                      {6, 0}, "sm_30+", ".cta: 7.8",        3, "9.7.14.1"},
    {"barrier{.cta}.arrive{.aligned}",       "", "", "a:val(u32, 0..15), b:val(u32, 32.. by 32)",                      {6, 0}, "sm_30+", ".cta: 7.8",        3, "9.7.14.1"},
    {"barrier{.cta}.red.popc{.aligned}.u32", "", "", "d:dst(u32), a:val(u32, 0..15), b:val(i32, 0.. by 32)?, c:npred", {6, 0}, "sm_30+", ".cta: 7.8",        3, "9.7.14.1"},
    {"barrier{.cta}.red(.and|.or){.aligned}.pred", "", "",
     "p:pdst, a:val(u32, 0..15), b:val(i32, 0.. by 32)?, c:npred", {6, 0}, "sm_30+", ".cta: 7.8", 3, "9.7.14.1"},
    {"bar{.cta}.sync",                       "", "", "a:val(u32, 0..15), b:val(i32, 0.. by 32)?",                      {1, 0}, "all",    ".cta: 7.8 sm_20+", 3, "9.7.14.1"},
    {"bar{.cta}.arrive",                     "", "", "a:val(u32, 0..15), b:val(u32, 32.. by 32)",                      {2, 0}, "sm_20+", ".cta: 7.8",        3, "9.7.14.1"},
    {"bar{.cta}.red.popc.u32",               "", "", "d:dst(u32), a:val(u32, 0..15), b:val(i32, 0.. by 32)?, c:npred", {2, 0}, "sm_20+", ".cta: 7.8",        3, "9.7.14.1"},
    {"bar{.cta}.red(.and|.or).pred",         "", "", "p:pdst, a:val(u32, 0..15), b:val(i32, 0.. by 32)?, c:npred",     {2, 0}, "sm_20+", ".cta: 7.8",        3, "9.7.14.1"},
    // §9.7.14.2 bar
    {"bar.warp.sync", "", "", "membermask:val(int(b32))", {6, 0}, "sm_30+", "", 2, "9.7.14.2"},
    // §9.7.14.3 barrier
    {"barrier.cluster.arrive{.release|.relaxed}{.aligned}", "", "", "", {7, 8}, "sm_90+", ".relaxed|.release: 8.0", 3, "9.7.14.3"},
    {"barrier.cluster.wait{.acquire}{.aligned}",            "", "", "", {7, 8}, "sm_90+", ".acquire: 8.0",          3, "9.7.14.3"},
    // §9.7.14.4 membar, fence
    {"membar(.cta|.gl|.sys)",                                                                       "", "", "",                           {1, 4}, "all",     ".sys: 2.0 sm_20+",     1, "9.7.14.4"},
    {"fence{.sc|.acq_rel}<scope>",                                                                  "", "", "",                           {6, 0}, "sm_70+",  ".cluster: 7.8 sm_90+", 1, "9.7.14.4"},
    {"fence(.acquire|.release)<scope>", "", "",
     "", {6, 0}, "sm_70+", ".cluster: 7.8 sm_90+", 1, "9.7.14.4", "", "the manual has it from 8.6 on sm_90; ptxas 13.0 takes it from 6.0 on sm_70"},
    {"fence.acquire.sync_restrict::shared::cluster.cluster",                                        "", "", "",                           {8, 6}, "sm_90+",  "",                     1, "9.7.14.4"},
    {"fence.release.sync_restrict::shared::cta.cluster",                                            "", "", "",                           {8, 6}, "sm_90+",  "",                     1, "9.7.14.4"},
    {"fence.mbarrier_init.release.cluster",                                                         "", "", "",                           {8, 0}, "sm_90+",  "",                     1, "9.7.14.4"},
    {"fence.proxy(.alias|.async|.async.global|.async.shared::cta|.async.shared::cluster)",          "", "", "",                           {7, 5}, "sm_70+",  ".async: 8.0 sm_90+",   2, "9.7.14.4"},
    {"membar.proxy.alias",                                                                          "", "", "",                           {7, 5}, "sm_60+",  "",                     2, "9.7.14.4"},
    {"membar.proxy(.async|.async.global|.async.shared::cta|.async.shared::cluster)",                "", "", "",                           {8, 0}, "sm_90+",  "",                     1, "9.7.14.4", "", "ptxas 13.0 refuses it"},
    {"fence.proxy.tensormap::generic.release<scope>",                                               "", "", "",                           {8, 3}, "sm_90+",  "",                     2, "9.7.14.4"},
    {"fence.proxy.tensormap::generic.acquire<scope>",                                               "", "", "a:addr(i32), size:imm(128)", {8, 3}, "sm_90+",  "",                     2, "9.7.14.4"},
    {"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",                   "", "", "",                           {8, 6}, "sm_90+",  "",                     2, "9.7.14.4"},
    {"fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",                       "", "", "",                           {8, 6}, "sm_90+",  "",                     2, "9.7.14.4"},
    {"fence.proxy(.generic::fabric|.fabric::generic|.fabric::fabric).alias(.acquire|.release).sys", "", "", "",                           {9, 3}, "sm_100+", "",                     1, "9.7.14.4"},
    {"fence.proxy.alias(.acquire|.release).sys",                                                    "", "", "",                           {9, 4}, "sm_90+",  "",                     1, "9.7.14.4", "", "reported only"},
    {"fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster",             "", "", "",                           {9, 4}, "sm_90+",  "",                     1, "9.7.14.4", "", "reported only"},
    // §9.7.14.9 vote
    {"vote(.all|.any|.uni).pred", "", "", "d:pdst, a:npred",     {1, 2}, "sm_12+", "", 1, "9.7.14.9", "deprecated 6.0; retired 6.4 sm_70+"},
    {"vote.ballot.b32",           "", "", "d:dst(b32), a:npred", {2, 0}, "sm_20+", "", 1, "9.7.14.9", "deprecated 6.0; retired 6.4 sm_70+"},
    // §9.7.14.10 vote
    {"vote.sync(.all|.any|.uni).pred", "", "", "d:pdst, a:npred, membermask:val(int(b32))",     {6, 0}, "sm_30+", "", 1, "9.7.14.10"},
    {"vote.sync.ballot.b32",           "", "", "d:dst(b32), a:npred, membermask:val(int(b32))", {6, 0}, "sm_30+", "", 1, "9.7.14.10"},
    // §9.7.14.11 match
    {"match.any.sync<T>", "T=bits32_64", "", "d:dst(u32), a:val(T), membermask:val(int(b32))",        {6, 0}, "sm_70+", "", 1, "9.7.14.11"},
    {"match.all.sync<T>", "T=bits32_64", "", "d:dst_(u32)|pdst?, a:val(T), membermask:val(int(b32))", {6, 0}, "sm_70+", "", 1, "9.7.14.11"},
    // §9.7.14.12 activemask
    {"activemask.b32", "", "", "d:dst(b32)", {6, 2}, "sm_30+", "", 1, "9.7.14.12"},
    // §9.7.14.13 redux
    {"redux.sync<op><T>",                     "T=int32; op=merge", "", "d:dst(T), a:val(T), membermask:val(int(b32))",               {7, 0}, "sm_80+",   "", 1, "9.7.14.13"},
    {"redux.sync(.and|.or|.xor).b32",         "",                  "", "d:dst(int(b32)), a:val(int(b32)), membermask:val(int(b32))", {7, 0}, "sm_80+",   "", 1, "9.7.14.13"},
    {"redux.sync(.min|.max){.abs}{.NaN}.f32", "",                  "", "d:dst(f32), a:val(f32), membermask:val(int(b32))",           {8, 6}, "sm_100f+", "", 1, "9.7.14.13"},
    // §9.7.14.14 griddepcontrol
    {"griddepcontrol(.launch_dependents|.wait)", "", "", "", {7, 8}, "sm_90+", "", 1, "9.7.14.14"},
    // §9.7.14.15 elect
    {"elect.sync", "", "", "d:dst_(int(b32))|pdst, membermask:val(int(b32))", {8, 0}, "sm_90+", "", 1, "9.7.14.15"},
};
// clang-format on

}  // namespace

std::span<const InstructionRow> SynchronizationInstructions() { return kSynchronization; }

}  // namespace ptxfarm::ptx::isa
