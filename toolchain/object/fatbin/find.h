// Finds GPU code in whatever file holds it: fatbin files, bare cubins, host objects, executables,
// shared libraries, and archives of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"
#include "base/result.h"
#include "toolchain/object/fatbin/fatbin.h"

namespace ptxfarm::object::fatbin {

struct FoundContainer {
  std::string place;  // "saxpy.o:.nv_fatbin": archive member and section, as far as there are any.
  u64 offset = 0;     // In the file.
  Container container;
};

struct FoundCubin {
  std::string place;
  u64 offset = 0;
  std::string_view bytes;
};

// Bytes that should be a container and aren't.
struct FoundDamage {
  std::string place;
  u64 offset = 0;
  Error error;
};

struct Findings {
  std::vector<FoundContainer> containers;
  std::vector<FoundCubin> cubins;
  std::vector<FoundDamage> damages;
};

// Everything in the file, in its order. In host objects the sections made for it are read strictly,
// and all else is searched at offsets that are multiples of 8 (several libraries of the toolkit
// keep nearly all of theirs in read-only data). INVALID_ARGUMENT where the file is of none of these
// kinds. Linear in the file.
Result<Findings> FindGpuCode(std::string_view bytes);

}  // namespace ptxfarm::object::fatbin
