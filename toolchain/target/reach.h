// Which module may be compiled for which GPU, and the limits that hold there.
#pragma once

#include <string>

#include "base/limits.h"
#include "toolchain/target/target.h"

namespace ptxfarm {

// Whether a module whose .target says `module` may be compiled for `gpu`:
//   real       plain: for itself and every later number; f: for the later ones of its family;
//              a: for itself only
//   virtual    the text may be labelled so: the module goes wherever that label promises
//   link-time  never: no tool makes that form from PTX
bool CanCompile(const Target& module, const Target& gpu);

// Why not, and what to do; empty where CanCompile holds: "the module says .target sm_100f, which
// compiles for the sm_10x family only (sm_100, sm_103, …); sm_120 is of the sm_12x family".
std::string WhyNot(const Target& module, const Target& gpu);

// Whether a cubin made for `cubin` runs on a GPU, which is named by its plain target. CUDA promises
// it from one minor revision to the later ones of its major, but to and from embedded GPUs; with f
// to the later ones of the family, with a to that GPU alone.
bool CubinRunsOn(const Target& cubin, const Target& gpu);

// The bytes of parameters that an entry may have, PTX ISA 9.4 §5.1.6.4.
u64 ParameterBytesMax(PtxVersion version, const Target& module);

// These are the same for every target of today.
inline constexpr Limit kSharedBytesMax{"static_shared_bytes_max", 48 << 10,
                                       "of one entry; dynamic shared memory may be larger"};
inline constexpr Limit kConstantBytesMax{"constant_bytes_max", 64 << 10,
                                         "of the .const variables of a module"};
inline constexpr Limit kLocalBytesMax{"local_bytes_max", 512 << 10, "of one thread"};
inline constexpr Limit kRegistersMax{"registers_max", 255, "of one thread"};

}  // namespace ptxfarm
