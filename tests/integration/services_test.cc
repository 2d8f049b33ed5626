// What standard tools ask of a gRPC server: health and reflection; and of its HTTP port.
#include <future>

#include <grpcpp/generic/generic_stub.h>

#include <gtest/gtest.h>

#include "rpc/channel.h"
#include "tests/integration/farm_fixture.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

class ServicesTest : public FarmTest {
 protected:
  void SetUp() override {}  // Needs no toolkit.

  // Sends the bytes of one message, as a tool without our protos does; the bytes of the answer.
  Result<std::string> Call(const std::string& method, const std::string& message) {
    const rpc::Channel channel = rpc::Channel::Make({.address = address()}).value();
    grpc::TemplatedGenericStub<grpc::ByteBuffer, grpc::ByteBuffer> stub(channel.grpc());
    grpc::ClientContext context;
    const grpc::Slice slice(message);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::ByteBuffer response;
    std::promise<grpc::Status> done;
    stub.UnaryCall(&context, method, {}, &request, &response,
                   [&](grpc::Status status) { done.set_value(std::move(status)); });
    if (const grpc::Status status = done.get_future().get(); !status.ok())
      return Error{static_cast<Code>(status.error_code()), status.error_message()};
    grpc::Slice whole;
    if (!response.DumpToSingleSlice(&whole).ok()) return std::string();
    return std::string(reinterpret_cast<const char*>(whole.begin()), whole.size());
  }
};

TEST_F(ServicesTest, HealthSaysServing) {
  StartServer();
  // grpc.health.v1: an empty request asks for the whole server; status = SERVING is field 1 with
  // value 1.
  EXPECT_EQ(Call("/grpc.health.v1.Health/Check", "").value(), "\x08\x01");
  // A service that isn't there.
  EXPECT_EQ(Call("/grpc.health.v1.Health/Check", std::string("\x0a\x04none")).error().code,
            Code::kNotFound);
}

TEST_F(ServicesTest, ReflectionListsTheServices) {
  StartServer();
  // ServerReflectionRequest.list_services (field 7) with an empty string.
  const std::string answer = Call("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                                  std::string("\x3a\x00", 2))
                                 .value();
  for (const char* const service :
       {"CompileService", "BlobService", "WorkerService", "AdminService"})
    EXPECT_NE(answer.find("ptxfarm.v1." + std::string(service)), std::string::npos) << service;
}

TEST_F(ServicesTest, ThePageHasMetricsHealthAndRows) {
  StartServer({"--http", "127.0.0.1:0"});
  const std::optional<std::string> line = server_->WaitForLine("page_listening");
  ASSERT_TRUE(line.has_value()) << server_->output();
  const std::string url = line->substr(line->find("url=") + 4);
  const auto get = [&](const std::string& path) {
    return RunShell("curl -s -w ' %{http_code}' " + url + path).output;
  };
  EXPECT_EQ(get("/healthz"), "ok\n 200");
  EXPECT_EQ(get("/readyz"), "ready\n 200");
  EXPECT_NE(get("/metrics").find("ptxfarm_server_queue_actions{state=\"waiting\"} 0"),
            std::string::npos);
  EXPECT_NE(get("/").find("ptxfarm-server"), std::string::npos);
  EXPECT_NE(get("/nowhere").find("404"), std::string::npos);
}

}  // namespace
}  // namespace ptxfarm::test
