// Times every RPC, whatever service it is of.
#pragma once

#include <memory>

#include <grpcpp/support/server_interceptor.h>

#include "server/metrics.h"

namespace ptxfarm::server {

// `metrics` outlives the server.
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> MakeRpcTimer(
    ServerMetrics& metrics);

}  // namespace ptxfarm::server
