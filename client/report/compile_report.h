// What `ptxfarm compile` says to a person: the table, or a line a target.
#pragma once

#include <span>
#include <string>

#include "client/report/module_report.h"

namespace ptxfarm::client {

// "hit", "miss", "joined"; "ptx" of a PTX member, which nobody compiles; of what failed its
// outcome: "input error".
std::string OutcomeText(const TargetReply& reply);

// A row a target, with its kernels below each other; at most `kernels_max` of them, then how many
// there are more.
std::string RenderTable(std::span<const ModuleReport> reports, std::size_t kernels_max, bool color);

// "saxpy sm_90a: miss, 41.3 ms, 5.2 KiB, 2 kernels, out/saxpy.sm_90a.cubin", a line a target.
std::string RenderLines(const ModuleReport& report, bool color);

// "42 targets of 6 modules: 36 hits, 5 misses, 1 failed; 182 ms"
std::string RenderSummary(std::span<const ModuleReport> reports,
                          std::chrono::microseconds wall_time);

}  // namespace ptxfarm::client
