// The PTX text that a fat binary carries for one virtual target.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ptxfarm::client {

// `target` is "compute_90a". NOT_FOUND where there is no such member; DATA_LOSS where the fat
// binary is damaged.
Result<std::string> PtxMember(std::string_view fatbin, std::string_view target);

}  // namespace ptxfarm::client
