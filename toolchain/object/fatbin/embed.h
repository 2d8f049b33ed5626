// A fat binary as the C file that nvcc includes into its host code: `fatbinary --embedded-fatbin`.
#pragma once

#include <string>
#include <string_view>

#include "base/int.h"

namespace ptxfarm::object::fatbin {

struct EmbedOptions {
  // --device-c: the data go to __nv_relfatbin, under a name made of the module's id.
  bool relocatable = false;
  // --link: the control record points to the containers that were linked.
  bool linked = false;
  // --no-asm: an array in C instead of assembly.
  bool without_assembler = false;
};

// The text, byte for byte as that of CUDA 13.0. `container` is a whole number of 8-byte words.
std::string EmbeddedText(std::string_view container, const EmbedOptions& options);

}  // namespace ptxfarm::object::fatbin
