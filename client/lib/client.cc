#include "client/lib/client.h"

#include <functional>

#include <grpcpp/client_context.h>

#include "client/lib/blobs.h"
#include "client/lib/cancel.h"
#include "client/lib/compile_call.h"
#include "client/lib/connection.h"
#include "client/lib/explain.h"
#include "ptxfarm/v1/admin_service.grpc.pb.h"
#include "ptxfarm/v1/compile_service.grpc.pb.h"
#include "rpc/convert.h"

namespace ptxfarm::client {

class Client::Impl {
 public:
  explicit Impl(std::unique_ptr<Connection> made) : connection(std::move(made)) {}

  // A call with one request and one response, which `convert` turns into a struct. `method` is its
  // row in rpc/policies.cc.
  template <typename Service, typename Response, typename Method, typename Request,
            typename Convert>
  auto Call(std::string_view name, Method method, const Request& request, Convert convert,
            const CancelToken& cancel = {}) const -> decltype(convert(std::declval<Response&>())) {
    Response response;
    const Status called = connection->WithRetries(
        [&](const rpc::Channel& channel) -> std::optional<Failure> {
          grpc::ClientContext context;
          const CancelScope scope(cancel, context);
          channel.Prepare(context, name);
          response.Clear();
          const auto stub = Service::NewStub(channel.grpc());
          const grpc::Status status = std::invoke(method, *stub, &context, request, &response);
          if (status.ok()) return std::nullopt;
          return FailureOf(status, channel.address());
        },
        cancel);
    if (!called) return called.error();
    return convert(response);
  }

  const std::unique_ptr<Connection> connection;
};

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

Result<Client> Client::Connect(const ConnectOptions& options) {
  PTXFARM_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection, Connection::Make(options));
  return Client(std::make_unique<Impl>(std::move(connection)));
}

Result<CompileReply> Client::Compile(const CompileRequest& request,
                                     const CompileCallbacks& callbacks,
                                     const CancelToken& cancel) const {
  return CompileCall(*impl_->connection, request, callbacks, cancel).Run();
}

Result<Capabilities> Client::GetCapabilities(const CancelToken& cancel) const {
  return impl_->Call<v1::CompileService, v1::GetCapabilitiesResponse>(
      "CompileService/GetCapabilities", &v1::CompileService::Stub::GetCapabilities,
      v1::GetCapabilitiesRequest(),
      [](const v1::GetCapabilitiesResponse& response) { return rpc::FromProto(response); }, cancel);
}

Result<std::vector<WorkerStatus>> Client::ListWorkers() const {
  return impl_->Call<v1::AdminService, v1::ListWorkersResponse>(
      "AdminService/ListWorkers", &v1::AdminService::Stub::ListWorkers, v1::ListWorkersRequest(),
      [](const v1::ListWorkersResponse& response) { return rpc::FromProto(response); });
}

Result<QueueStatus> Client::GetQueue() const {
  return impl_->Call<v1::AdminService, v1::GetQueueResponse>(
      "AdminService/GetQueue", &v1::AdminService::Stub::GetQueue, v1::GetQueueRequest(),
      [](const v1::GetQueueResponse& response) { return rpc::FromProto(response); });
}

Result<StoreStatus> Client::GetStore() const {
  return impl_->Call<v1::AdminService, v1::GetStoreResponse>(
      "AdminService/GetStore", &v1::AdminService::Stub::GetStore, v1::GetStoreRequest(),
      [](const v1::GetStoreResponse& response) { return rpc::FromProto(response); });
}

Status Client::Drain(const std::string& worker_id) const {
  v1::DrainRequest request;
  request.set_worker_id(worker_id);
  return impl_->Call<v1::AdminService, v1::DrainResponse>(
      "AdminService/Drain", &v1::AdminService::Stub::Drain, request,
      [](const v1::DrainResponse&) -> Status { return Ok{}; });
}

Result<std::string> Client::Download(const Digest& digest) const {
  Result<std::string> bytes = std::string();
  PTXFARM_RETURN_IF_ERROR(impl_->connection->WithRetries(
      [&](const rpc::Channel& channel) -> std::optional<Failure> {
        bytes = DownloadBlob(channel, digest, {});
        if (bytes) return std::nullopt;
        return Failure{Explain(bytes.error(), channel.address()), std::nullopt};
      },
      {}));
  return bytes;
}

Status Client::Upload(std::string_view bytes) const {
  const Digest digest = DigestOf(bytes);
  return impl_->connection->WithRetries(
      [&](const rpc::Channel& channel) -> std::optional<Failure> {
        Status uploaded = UploadBlob(channel, bytes, digest, {});
        if (uploaded) return std::nullopt;
        return Failure{Explain(std::move(uploaded).error(), channel.address()), std::nullopt};
      },
      {});
}

const std::string& Client::server() const { return impl_->connection->options().server; }

}  // namespace ptxfarm::client
