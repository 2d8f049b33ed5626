// The two halves of `ptxfarm fatbin` that write files.
#pragma once

#include "client/commands/fatbin_command.h"

namespace ptxfarm::client {

// Writes each member as a file of its own: NAME.TARGET.cubin, .ptx or .ltoir; with a number before
// the target where a file has several of one target.
ExitCode ExtractFatbin(const Session& session, const FatbinOptions& options);

// Makes one fat binary of cubins and PTX, byte for byte as the toolkit's tool does.
ExitCode CreateFatbin(const Session& session, const FatbinOptions& options);

}  // namespace ptxfarm::client
