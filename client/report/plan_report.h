// What `ptxfarm plan` found of one module, for a person and as JSON.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "client/report/json.h"
#include "toolchain/ptx/check.h"
#include "toolchain/ptx/lowest_head.h"
#include "toolchain/target/cover.h"

namespace ptxfarm::client {

// A head, with places in place of offsets.
struct PlannedHead {
  struct Reason {
    std::string what;  // Empty where nothing keeps it from being lower.
    Place place;       // {0, 0} where the reason is none of the text's constructs.
  };

  PtxVersion version;
  Reason version_reason;
  Target target;
  Reason target_reason;
};

struct ModulePlan {
  PtxVersion version;  // As the module says, like `target`.
  Target target;
  std::optional<PlannedHead> lowest;  // Nothing where no target has all of its contents.
  std::vector<Target> gpus;           // Of today, that it can be compiled for.
  Cover cover;
  // A head under which the contents could be compiled for it, for each of cover.uncovered.
  std::vector<std::optional<PlannedHead>> other_heads;
};

// Of an accepted module. Without GPUs, for all that it can be compiled for.
ModulePlan PlanOf(const ptx::Source& source, const ptx::CheckResult& checked,
                  std::span<const Target> gpus);

// "k.ptx: .version 7.8, .target sm_80", and a line for each thing said of it.
std::string RenderPlan(const ModulePlan& plan, const std::string& file, bool color);

Json ToJson(const ModulePlan& plan);

}  // namespace ptxfarm::client
