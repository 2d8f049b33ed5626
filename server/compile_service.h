// CompileService on the wire: messages in, a CompileCall, messages out.
#pragma once

#include "ptxfarm/v1/compile_service.grpc.pb.h"
#include "server/authenticator.h"
#include "server/core.h"

namespace ptxfarm::server {

class CompileService final : public v1::CompileService::CallbackService {
 public:
  // Both outlive the service.
  CompileService(Core& core, const Authenticator& authenticator)
      : core_(core), authenticator_(authenticator) {}

  grpc::ServerWriteReactor<v1::CompileResponse>* Compile(
      grpc::CallbackServerContext* context, const v1::CompileRequest* request) override;
  grpc::ServerUnaryReactor* GetCapabilities(grpc::CallbackServerContext* context,
                                            const v1::GetCapabilitiesRequest* request,
                                            v1::GetCapabilitiesResponse* response) override;

 private:
  Core& core_;
  const Authenticator& authenticator_;
};

}  // namespace ptxfarm::server
