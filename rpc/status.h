// Error ↔ gRPC's status, with the delay after which a retry makes sense.
#pragma once

#include <chrono>
#include <optional>

#include <grpcpp/support/status.h>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::rpc {

// The same code and message. A delay travels as google.rpc.RetryInfo in the status details, where
// every gRPC client library finds it.
grpc::Status ToStatus(const Error& error,
                      std::optional<std::chrono::milliseconds> retry_after = std::nullopt);

// The error of a status that isn't OK.
Error FromStatus(const grpc::Status& status);

// The delay that the other side asks for, if it says one. Bounded to an hour: it comes from
// outside.
std::optional<std::chrono::milliseconds> RetryAfter(const grpc::Status& status);

}  // namespace ptxfarm::rpc
