#include "server/rpc_timer.h"

#include <chrono>
#include <string_view>

namespace ptxfarm::server {
namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::InterceptorBatchMethods;
using grpc::experimental::ServerRpcInfo;

// "/ptxfarm.v1.CompileService/Compile" → "CompileService/Compile".
std::string_view ShortMethod(std::string_view path) {
  constexpr std::string_view kPackage = "/ptxfarm.v1.";
  return path.starts_with(kPackage) ? path.substr(kPackage.size()) : path;
}

class RpcTimer final : public grpc::experimental::Interceptor {
 public:
  RpcTimer(ServerMetrics& metrics, std::string_view method)
      : metrics_(metrics), method_(ShortMethod(method)), begin_(std::chrono::steady_clock::now()) {}

  void Intercept(InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS)) {
      const auto code = static_cast<Code>(methods->GetSendStatus().error_code());
      metrics_.OnRpc(method_, code, std::chrono::steady_clock::now() - begin_);
    }
    methods->Proceed();
  }

 private:
  ServerMetrics& metrics_;
  const std::string_view method_;  // gRPC's own, which lives as long as the server.
  const std::chrono::steady_clock::time_point begin_;
};

class RpcTimerFactory final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit RpcTimerFactory(ServerMetrics& metrics) : metrics_(metrics) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(ServerRpcInfo* info) override {
    return new RpcTimer(metrics_, info->method());  // gRPC owns it.
  }

 private:
  ServerMetrics& metrics_;
};

}  // namespace

std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> MakeRpcTimer(
    ServerMetrics& metrics) {
  return std::make_unique<RpcTimerFactory>(metrics);
}

}  // namespace ptxfarm::server
