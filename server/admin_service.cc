#include "server/admin_service.h"

#include "base/text.h"
#include "rpc/convert.h"
#include "rpc/status.h"
#include "server/call_context.h"

namespace ptxfarm::server {

template <typename Answer>
grpc::ServerUnaryReactor* AdminService::Do(grpc::CallbackServerContext* context,
                                           std::string_view method, const Answer& answer) {
  const Result<Caller> caller = CallerOf(*context, authenticator_, method);
  if (!caller) return Refuse(*context, caller.error());
  if (const Status answered = answer(); !answered) return Refuse(*context, answered.error());
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerUnaryReactor* AdminService::ListWorkers(grpc::CallbackServerContext* context,
                                                    const v1::ListWorkersRequest*,
                                                    v1::ListWorkersResponse* response) {
  return Do(context, "AdminService/ListWorkers", [&]() -> Status {
    *response = rpc::ToProto(core_.queue.Workers());
    return Ok{};
  });
}

grpc::ServerUnaryReactor* AdminService::GetQueue(grpc::CallbackServerContext* context,
                                                 const v1::GetQueueRequest*,
                                                 v1::GetQueueResponse* response) {
  return Do(context, "AdminService/GetQueue", [&]() -> Status {
    rpc::QueueStatus status{.hits = core_.hits, .misses = core_.misses, .joined = core_.joined};
    core_.queue.List(status);
    *response = rpc::ToProto(status);
    return Ok{};
  });
}

grpc::ServerUnaryReactor* AdminService::Drain(grpc::CallbackServerContext* context,
                                              const v1::DrainRequest* request, v1::DrainResponse*) {
  return Do(context, "AdminService/Drain", [&]() -> Status {
    if (request->worker_id().empty())
      drain_();
    else if (!core_.queue.DrainWorker(request->worker_id()))
      return MakeError(Code::kNotFound, "no worker has the id '{}'; `ptxfarm status` lists them",
                       Shortened(request->worker_id()));
    return Ok{};
  });
}

grpc::ServerUnaryReactor* AdminService::GetStore(grpc::CallbackServerContext* context,
                                                 const v1::GetStoreRequest*,
                                                 v1::GetStoreResponse* response) {
  return Do(context, "AdminService/GetStore", [&]() -> Status {
    const StoreFigures figures = core_.store.Figures();
    *response =
        rpc::ToProto(rpc::StoreStatus{.blobs = figures.blobs,
                                      .actions = figures.actions,
                                      .stored_bytes = figures.blob_bytes + figures.action_bytes,
                                      .stored_bytes_max = figures.bytes_max,
                                      .evicted_blobs = figures.evicted_blobs,
                                      .quarantined_blobs = figures.quarantined,
                                      .format_version = static_cast<u32>(figures.format_version),
                                      .path = store_path_});
    return Ok{};
  });
}

}  // namespace ptxfarm::server
