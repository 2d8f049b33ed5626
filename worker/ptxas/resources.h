// What each kernel of a compiled object needs: read from the object, completed from the log.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "action/action_result.h"
#include "toolchain/object/cubin/cubin.h"
#include "worker/ptxas/log.h"

namespace ptxfarm::worker {

// Entries, and in a linkable object device functions too; sorted by name. A fact that both know is
// the object's: the log is of the same compile, but its words change.
std::vector<action::KernelResources> ResourcesOf(const object::cubin::Cubin& cubin,
                                                 const std::map<std::string, LogResources>& log);

// Names that a link must provide, sorted.
std::vector<std::string> UndefinedSymbolsOf(const object::cubin::Cubin& cubin);

action::ObjectKind ObjectKindOf(object::cubin::CubinKind kind);

}  // namespace ptxfarm::worker
