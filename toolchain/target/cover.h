// The fewest objects with which a module runs on a list of GPUs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "toolchain/target/target.h"

namespace ptxfarm {

struct CoveringCubin {
  Target target;
  std::vector<Target> gpus;  // Those that are to run it, in ascending order.
  std::string why;           // "it runs on the later minor revisions of its major too"
};

struct UncoveredGpu {
  Target gpu;
  std::string why;
};

struct Cover {
  std::vector<CoveringCubin> cubins;  // In ascending order.
  // The virtual target of the PTX that goes along for GPUs that come later, and why it, or why
  // none.
  std::optional<Target> text;
  std::string text_why;
  std::vector<UncoveredGpu> uncovered;  // What the module can't be compiled for.
};

// For a module whose .target says `module`. GPUs are named by plain targets; of others the number
// counts: a list of targets may be given as it is. Each GPU gets a cubin that runs on it, so that
// none waits for the driver's compiler.
Cover CoverOf(const Target& module, std::span<const Target> gpus);

// The GPUs of today that a module can be compiled for, in ascending order, as plain targets.
std::vector<Target> GpusOf(const Target& module);

}  // namespace ptxfarm
