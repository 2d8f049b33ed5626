// What a gRPC call says of its caller, checked.
#pragma once

#include <string_view>

#include <grpcpp/server_context.h>

#include "base/result.h"
#include "server/authenticator.h"
#include "server/core.h"

namespace ptxfarm::server {

// The caller of `method` ("CompileService/Compile"), if it may make that call.
Result<Caller> CallerOf(const grpc::CallbackServerContext& context,
                        const Authenticator& authenticator, std::string_view method);

// A reactor that only says no.
grpc::ServerUnaryReactor* Refuse(grpc::CallbackServerContext& context, const Error& error);

}  // namespace ptxfarm::server
