// Writing one output so that its name never leads to a partial or stale file.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ptxfarm::client {

// A file is written beside its name and renamed; a link is followed first, so that the link stays.
// A device, a pipe and "-" (the standard output) are written as they are: there is nothing to
// rename.
Status WriteOutput(const std::string& path, std::string_view bytes);

// Removes what an earlier call left under the name of an output that this one could not make.
// Devices and pipes stay.
void RemoveStaleOutput(const std::string& path);

// Why WriteOutput would fail, as far as that can be known without writing: asked before hours of
// compiling. The folder must be there.
Status CheckOutput(const std::string& path);

// Makes a folder and those above it.
Status MakeFolders(const std::string& path);

}  // namespace ptxfarm::client
