// AdminService on the wire.
#pragma once

#include <functional>
#include <string>

#include "ptxfarm/v1/admin_service.grpc.pb.h"
#include "server/authenticator.h"
#include "server/core.h"

namespace ptxfarm::server {

class AdminService final : public v1::AdminService::CallbackService {
 public:
  // All outlive the service. `drain` begins the server's own drain and returns at once.
  AdminService(Core& core, const Authenticator& authenticator, std::string store_path,
               std::function<void()> drain)
      : core_(core),
        authenticator_(authenticator),
        store_path_(std::move(store_path)),
        drain_(std::move(drain)) {}

  grpc::ServerUnaryReactor* ListWorkers(grpc::CallbackServerContext* context,
                                        const v1::ListWorkersRequest* request,
                                        v1::ListWorkersResponse* response) override;
  grpc::ServerUnaryReactor* GetQueue(grpc::CallbackServerContext* context,
                                     const v1::GetQueueRequest* request,
                                     v1::GetQueueResponse* response) override;
  grpc::ServerUnaryReactor* Drain(grpc::CallbackServerContext* context,
                                  const v1::DrainRequest* request,
                                  v1::DrainResponse* response) override;
  grpc::ServerUnaryReactor* GetStore(grpc::CallbackServerContext* context,
                                     const v1::GetStoreRequest* request,
                                     v1::GetStoreResponse* response) override;

 private:
  template <typename Answer>
  grpc::ServerUnaryReactor* Do(grpc::CallbackServerContext* context, std::string_view method,
                               const Answer& answer);

  Core& core_;
  const Authenticator& authenticator_;
  const std::string store_path_;
  const std::function<void()> drain_;
};

}  // namespace ptxfarm::server
