// CompileService on the wire: messages in, a CompileCall, messages out.
#pragma once

#include "ptxfarm/v1/compile_service.grpc.pb.h"
#include "server/answer_cache.h"
#include "server/authenticator.h"
#include "server/core.h"

namespace ptxfarm::server {

// FindResults is taken and given as bytes: a hot answer is sent again as it was.
class CompileService final : public v1::CompileService::WithRawCallbackMethod_FindResults<
                                 v1::CompileService::WithCallbackMethod_Compile<
                                     v1::CompileService::WithCallbackMethod_GetCapabilities<
                                         v1::CompileService::Service>>> {
 public:
  // Both outlive the service.
  CompileService(Core& core, const Authenticator& authenticator)
      : core_(core), authenticator_(authenticator), answers_(core.clock) {}

  grpc::ServerWriteReactor<v1::CompileResponse>* Compile(
      grpc::CallbackServerContext* context, const v1::CompileRequest* request) override;
  grpc::ServerUnaryReactor* FindResults(grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request,
                                        grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* GetCapabilities(grpc::CallbackServerContext* context,
                                            const v1::GetCapabilitiesRequest* request,
                                            v1::GetCapabilitiesResponse* response) override;

 private:
  Core& core_;
  const Authenticator& authenticator_;
  AnswerCache answers_;
};

}  // namespace ptxfarm::server
