// WorkerService on the wire: a worker's stream becomes a session of the queue.
#pragma once

#include "ptxfarm/v1/worker_service.grpc.pb.h"
#include "server/authenticator.h"
#include "server/core.h"

namespace ptxfarm::server {

class WorkerService final : public v1::WorkerService::CallbackService {
 public:
  // Both outlive the service.
  WorkerService(Core& core, const Authenticator& authenticator)
      : core_(core), authenticator_(authenticator) {}

  grpc::ServerBidiReactor<v1::SynchronizeRequest, v1::SynchronizeResponse>* Synchronize(
      grpc::CallbackServerContext* context) override;

 private:
  Core& core_;
  const Authenticator& authenticator_;
};

}  // namespace ptxfarm::server
