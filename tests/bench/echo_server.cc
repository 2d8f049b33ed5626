#include "tests/bench/echo_server.h"

#include <cstdio>
#include <memory>

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "base/check.h"
#include "base/int.h"
#include "rpc/policies.h"
#include "tests/bench/echo.grpc.pb.h"

namespace ptxfarm::bench {
namespace {

// Reactors delete themselves when gRPC is done with them.

class UploadReactor final : public grpc::ServerReadReactor<UploadRequest> {
 public:
  explicit UploadReactor(UploadResponse& response) : response_(response) { StartRead(&request_); }

  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::OK);
    response_.set_size_bytes(response_.size_bytes() + request_.data().size());
    StartRead(&request_);
  }
  void OnDone() override { delete this; }

 private:
  UploadResponse& response_;
  UploadRequest request_;
};

class DownloadReactor final : public grpc::ServerWriteReactor<DownloadResponse> {
 public:
  explicit DownloadReactor(const DownloadRequest& request) : left_(request.messages()) {
    response_.mutable_data()->assign(request.message_bytes(), 'x');
    Write();
  }

  void OnWriteDone(bool ok) override {
    if (!ok || left_ == 0) return Finish(grpc::Status::OK);
    Write();
  }
  void OnDone() override { delete this; }

 private:
  void Write() {
    --left_;
    StartWrite(&response_);
  }

  u32 left_;
  DownloadResponse response_;
};

class Service final : public EchoService::CallbackService {
 public:
  grpc::ServerUnaryReactor* Echo(grpc::CallbackServerContext* context, const EchoRequest* request,
                                 EchoResponse* response) override {
    response->mutable_data()->assign(request->answer_bytes(), 'x');
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

  grpc::ServerReadReactor<UploadRequest>* Upload(grpc::CallbackServerContext*,
                                                 UploadResponse* response) override {
    return new UploadReactor(*response);
  }

  grpc::ServerWriteReactor<DownloadResponse>* Download(grpc::CallbackServerContext*,
                                                       const DownloadRequest* request) override {
    return new DownloadReactor(*request);
  }
};

}  // namespace

void ServeEcho(const std::string& address) {
  Service service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials());
  builder.SetMaxReceiveMessageSize(rpc::kMessageBytesMax);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  PTXFARM_CHECK(server != nullptr, address);
  std::printf("%s %s\n", kEchoListening, address.c_str());
  std::fflush(stdout);
  server->Wait();
}

}  // namespace ptxfarm::bench
