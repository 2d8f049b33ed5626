// Is this what the compiler was asked for? A zero exit code of a compiler proves nothing: a full
// disk, a killed child or a wrong option leave empty, short or foreign files behind.
#pragma once

#include <string_view>

#include "base/result.h"
#include "toolchain/object/cubin/cubin.h"

namespace ptxfarm::object::cubin {

// OK where `bytes` are a whole cubin for exactly sm_<sm><suffix> (suffix 'a', 'f' or 0) of that
// kind.
//
// * DATA_LOSS: empty, truncated or damaged; the message names the table.
// * INVALID_ARGUMENT: not a cubin at all.
// * FAILED_PRECONDITION: a good cubin, but of another target or kind; the message names both.
Status CheckObject(std::string_view bytes, u32 sm, char suffix, CubinKind kind);

}  // namespace ptxfarm::object::cubin
