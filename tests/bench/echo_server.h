// The bare gRPC server that the farm is compared with: same library, same kind of API, no work.
#pragma once

#include <string>

namespace ptxfarm::bench {

// Printed when the server listens.
inline constexpr const char* kEchoListening = "echo_listening";

// Serves EchoService on `address` until the process is killed.
void ServeEcho(const std::string& address);

}  // namespace ptxfarm::bench
