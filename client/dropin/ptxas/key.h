// The key of a ptxas call in the local tier: equal keys mean equal objects, and equal words
// printed.
//
// It holds the bytes of the input, the digest of the compiler, the target, and every option that
// the call gives, as ptxas records them in the object; so two spellings of one call are one result.
// Names of files enter only where they are part of the object (-g).
#pragma once

#include <optional>
#include <string>

#include "base/digest.h"
#include "client/dropin/ptxas/command_line.h"

namespace ptxfarm::dropin {

// Reads the input. Nothing where it can't be read, or is no regular file: what is read from a pipe
// isn't there for the tool any more.
std::optional<Sha256> KeyOfCompile(const PtxasCall& call, const Sha256& compiler);

// The same, of a text that was read already.
Sha256 KeyOfText(const PtxasCall& call, const Sha256& compiler, std::string_view text);

// What the compiler answers to --version and the like.
Sha256 KeyOfQuery(const PtxasCall& call, const Sha256& compiler);

// The option line that the object of this call records, with its file names where -g is given.
std::string OptionLineOf(const PtxasCall& call);

// The last part of a path.
std::string_view BaseName(std::string_view path);

}  // namespace ptxfarm::dropin
