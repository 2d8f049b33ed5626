// Reading one input whole, whatever it is: a file, a pipe, a device, the standard input.
#pragma once

#include <string>

#include "base/int.h"
#include "base/result.h"
#include "client/lib/client.h"

namespace ptxfarm::client {

// "-" is the standard input. A folder is INVALID_ARGUMENT, more than `bytes_max` bytes
// RESOURCE_EXHAUSTED. CANCELLED as soon as the token is, however long the other end of a pipe keeps
// silent.
Result<std::string> ReadInput(const std::string& path, u64 bytes_max,
                              const CancelToken& cancel = {});

}  // namespace ptxfarm::client
