// The options of nvcc 13.0, and what each means to a cache.
#pragma once

#include <span>
#include <string_view>

#include "base/int.h"

namespace ptxfarm::dropin {

enum class NvccEffect : u8 {
  kKey,           // Part of the key, with its value.
  kThreads,       // How many steps run side by side: changes no byte of what is written.
  kPhase,         // Ends with one file of one input: part of the key.
  kOutput,        // -o
  kDependencies,  // Asks for a dependency file beside.
  kDependencyFile,
  kDependencyTarget,
  kInclude,       // A folder that is searched.
  kIncludeLater,  // -isystem: after those.
  kHostCompiler,
  kHostOptions,  // A list for the host compiler: looked at for what a key can't hold.
  kForward,      // From here on, what nvcc doesn't know is an option of the host compiler.
  kPreInclude,   // A file of its own, seen as a dependency.
  kOptionsFile,
  kSteps,    // Ends otherwise than with one file of one input, or leaves more behind.
  kRefused,  // Not for a cache, nor for our programs between its steps.
};

enum class NvccValue : u8 {
  kNone,
  kOne,       // "-o k.o", "-o=k.o"
  kAttached,  // Also "-O3", "-Idir".
};

struct NvccOption {
  std::string_view name;        // Behind two dashes.
  std::string_view short_name;  // Behind one.
  NvccValue value;
  NvccEffect effect;
  std::string_view suffix;  // kPhase: of the output's name where none is given.
};

std::span<const NvccOption> NvccOptions();

}  // namespace ptxfarm::dropin
