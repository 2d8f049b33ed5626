// gRPC's words about connections, turned into what a person can act on.
#pragma once

#include <string>

#include "base/result.h"

namespace ptxfarm::client {

// The error with the code that says whether a retry can help, and a message that says what to do.
// What a server wrote itself stays as it is.
Error Explain(Error error, const std::string& server);

}  // namespace ptxfarm::client
