// The CUDA toolkit behind an nvcc: which bytes of it, and of the host compiler, make an object; and
// a folder in which the same nvcc runs with our programs between its steps.
#pragma once

#include <optional>
#include <string>

#include "base/digest.h"
#include "base/result.h"
#include "client/dropin/tier/local_tier.h"

namespace ptxfarm::dropin {

struct NvccToolkit {
  std::string nvcc;   // The program, no drop-in.
  std::string bin;    // Its folder, as nvcc names it: with links as they are.
  Sha256 identity{};  // Over the bytes of all programs and files of it that take part.
};

// The nvcc that `named` means: a path, or a name that is looked for on the PATH, in $CUDA_HOME and
// /usr/local/cuda. NOT_FOUND says where was looked.
Result<NvccToolkit> FindNvccToolkit(const std::string& named, const LocalTier* tier);

// The bytes of the host compiler that nvcc will call: `named` is -ccbin (a program, or its folder),
// else $NVCC_CCBIN, else g++ on the PATH. Nothing where it can't be told.
std::optional<Sha256> HostCompilerIdentity(const std::string& named, const LocalTier* tier);

// The folder's nvcc: a link to the real one beside a profile that puts the folder before the
// toolkit's own, with cicc and cudafe++ as links to `self` (step.h), and ptxas, fatbinary and
// nvlink to the drop-ins that stand beside `self`. Made where it isn't there yet, by any number of
// processes at once.
Result<std::string> ShadowNvcc(const NvccToolkit& toolkit, const std::string& self,
                               const LocalTier& tier);

}  // namespace ptxfarm::dropin
