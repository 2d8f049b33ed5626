// Does what a call of `fatbinary` asks for.
#pragma once

#include "base/result.h"
#include "client/dropin/fatbinary/fatbinary_call.h"

namespace ptxfarm::dropin {

enum class Exactness : u8 {
  kToolkitBytes,  // Only where our bytes are the toolkit's; UNIMPLEMENTED elsewhere.
  kAnyBytes,      // Also where they are as valid, and packed differently.
};

// Reads the images and writes the files, each whole or not at all. INVALID_ARGUMENT for an image
// that isn't what its member says; other errors are those of the files, with their names.
Status BuildFatbinary(const FatbinaryCall& call, Exactness exactness);

}  // namespace ptxfarm::dropin
