// The files that a link reads, by their digests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/digest.h"
#include "client/dropin/nvlink/nvlink_call.h"
#include "client/dropin/tier/local_tier.h"

namespace ptxfarm::dropin {

struct LinkFile {
  std::string path;
  Digest digest;
};

struct LinkFiles {
  std::vector<LinkFile> inputs;  // As the call names them.
  // For each library of the call; nothing where nvlink reads nothing: a shared library is found
  // first, or there is none.
  std::vector<std::optional<LinkFile>> libraries;
  std::optional<LinkFile> nvvm;  // libnvvm.so, which link-time optimization loads.
  // Whether the register file has names of inputs in it, with their folders. Of objects of the host
  // and archives it has the names that these hold.
  bool registers_paths = false;
};

// Looks for libraries as nvlink does: `lib<name>.so` in the folders of -L, then of $LIBRARY_PATH,
// then `lib<name>.a` in the same. Nothing where a file can't be read, or is no regular file.
std::optional<LinkFiles> ReadLinkFiles(const NvlinkCall& call, const LocalTier* tier);

}  // namespace ptxfarm::dropin
