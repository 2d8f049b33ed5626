// A real worker with a real server on a Unix socket: streams, leases, blobs, drain, cancellation.
#include "worker/worker.h"

#include <poll.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include "ptxfarm/v1/compile_service.grpc.pb.h"
#include "rpc/convert.h"
#include "server/server.h"
#include "tests/support/memory_log_sink.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/worker/confined.h"

namespace ptxfarm::worker {
namespace {

using action::Outcome;
using std::chrono::seconds;

// A server on a socket, which keeps everything in memory.
class Farm {
 public:
  explicit Farm(const std::string& address) : logger_(sink_, clock_) {
    server::ServerOptions options{.listen = {address}, .http = "", .store = ""};
    Result<std::unique_ptr<server::Server>> server =
        server::Server::Start(options, clock_, logger_, metrics_);
    EXPECT_TRUE(server) << server.error().ToString();
    server_ = *std::move(server);
  }

 private:
  const RealClock clock_;
  test::MemoryLogSink sink_;
  telemetry::Logger logger_;
  telemetry::Metrics metrics_;
  std::unique_ptr<server::Server> server_;
};

// Looks again and again until `what` holds, for a minute at most.
template <typename Predicate>
bool Eventually(Predicate what) {
  const TimePoint deadline = std::chrono::steady_clock::now() + seconds(60);
  while (!what()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    ::poll(nullptr, 0, 2);
  }
  return true;
}

constexpr const char* kText =
    ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";

// Takes ptxas many seconds.
std::string SlowText() {
  constexpr int kValues = 4000;
  std::string text = fmt::format(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n"
      ".reg .b64 %q; .reg .f32 %f<{}>; ld.param.u64 %q,[p];\n",
      2 * kValues);
  for (int i = 0; i < kValues; ++i) text += fmt::format("ld.global.f32 %f{}, [%q+{}];\n", i, 4 * i);
  for (int i = 0; i < kValues; ++i)
    text += fmt::format("fma.rn.f32 %f{}, %f{}, %f{}, %f{};\n", kValues + i, i,
                        (i * 7919 + 13) % kValues, (i * 104729 + 7) % kValues);
  for (int i = 0; i < kValues; ++i)
    text += fmt::format("st.global.f32 [%q+{}], %f{};\n", 4 * i, kValues + i * 31337 % kValues);
  return text + "ret; }\n";
}

class WorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    PTXFARM_NEED_TOOLKIT();
    address_ = "unix:" + (folder_ / "farm.sock");
  }

  std::unique_ptr<Worker> StartWorker() {
    WorkerOptions options{.servers = {address_},
                          .slots = 2,
                          .cuda = {*test::ToolkitRoot()},
                          .scratch = folder_.path(),
                          .confine_helper = HelperPath()};
    Result<std::unique_ptr<Worker>> worker = Worker::Start(
        options,
        {.clock = clock_, .logger = logger_, .metrics = metrics_, .environment = environment_});
    EXPECT_TRUE(worker) << worker.error().ToString();
    return *std::move(worker);
  }

  u32 SlotsOfServer() {
    const auto stub = v1::CompileService::NewStub(
        grpc::CreateChannel(address_, grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    v1::GetCapabilitiesResponse response;
    EXPECT_TRUE(stub->GetCapabilities(&context, {}, &response).ok());
    return response.worker_slots();
  }

  // Begins a compile; Read() its answers.
  struct Call {
    grpc::ClientContext context;
    std::unique_ptr<v1::CompileService::Stub> stub;
    std::unique_ptr<grpc::ClientReader<v1::CompileResponse>> stream;

    // By target.
    std::map<std::string, rpc::TargetResult> Results() {
      std::map<std::string, rpc::TargetResult> results;
      for (v1::CompileResponse message; stream->Read(&message);) {
        Result<rpc::CompileResponse> response = rpc::FromProto(std::move(message));
        EXPECT_TRUE(response);
        for (rpc::TargetResult& result : response->results) results[result.target] = result;
      }
      const grpc::Status status = stream->Finish();
      EXPECT_TRUE(status.ok()) << status.error_message();
      return results;
    }
  };
  std::unique_ptr<Call> Compile(const std::string& text, std::vector<std::string> targets,
                                bool fatbin = false) {
    auto call = std::make_unique<Call>();
    call->stub = v1::CompileService::NewStub(
        grpc::CreateChannel(address_, grpc::InsecureChannelCredentials()));
    call->context.set_wait_for_ready(true);
    call->stream = call->stub->Compile(
        &call->context, rpc::ToProto(rpc::CompileRequest{.source = text,
                                                         .targets = std::move(targets),
                                                         .want_cubins = true,
                                                         .want_fatbin = fatbin}));
    return call;
  }

  const RealClock clock_;
  test::MemoryLogSink sink_;
  telemetry::Logger logger_{sink_, clock_};
  telemetry::Metrics metrics_;
  const config::Environment environment_ = config::ProcessEnvironment();
  test::TempDir folder_;
  std::string address_;
};

TEST_F(WorkerTest, CompilesForAServer) {
  Farm farm(address_);
  const std::unique_ptr<Worker> worker = StartWorker();
  ASSERT_TRUE(Eventually([&] { return worker->Ready().has_value(); }));
  const std::map<std::string, rpc::TargetResult> results =
      Compile(kText, {"sm_75", "sm_90a", "compute_75"}, true)->Results();
  for (const char* const target : {"sm_75", "sm_90a", "fatbin"}) {
    ASSERT_TRUE(results.contains(target));
    const action::ActionResult& result = results.at(target).result;
    EXPECT_EQ(result.outcome, Outcome::kOk) << target;
    EXPECT_EQ(result.outputs.size(), 1u) << target;
    EXPECT_EQ(result.execution.worker, worker->name());
  }
  const std::string text = metrics_.Text();
  EXPECT_THAT(text, testing::HasSubstr("ptxfarm_worker_slots 2"));
  EXPECT_THAT(text, testing::HasSubstr("backend=\"ptxas\",outcome=\"ok\",target=\"sm_90a\""));
  EXPECT_THAT(text, testing::HasSubstr("ptxfarm_worker_servers{state=\"connected\"} 1"));
  EXPECT_TRUE(sink_.Has("toolkit_found"));
}

TEST_F(WorkerTest, WaitsForItsServerAndComesBack) {
  const std::unique_ptr<Worker> worker = StartWorker();
  EXPECT_FALSE(worker->Ready());
  for (int i = 0; i < 2; ++i) {
    Farm farm(address_);
    ASSERT_TRUE(Eventually([&] { return SlotsOfServer() == 2; }));
    EXPECT_EQ(Compile(kText, {"sm_80"})->Results().at("sm_80").result.outcome, Outcome::kOk);
  }
  EXPECT_TRUE(Eventually([&] { return sink_.Has("server_lost"); }));
}

TEST_F(WorkerTest, StopsTheCompilerWhenNobodyWaits) {
  Farm farm(address_);
  const std::unique_ptr<Worker> worker = StartWorker();
  const std::unique_ptr<Call> call = Compile(SlowText(), {"sm_80"});
  ASSERT_TRUE(Eventually([&] { return worker->Counts().leases_running == 1; }));
  call->context.TryCancel();
  EXPECT_TRUE(Eventually([&] { return worker->Counts().leases_running == 0; }));
  EXPECT_EQ(call->stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(Compile(kText, {"sm_80"})->Results().at("sm_80").result.outcome, Outcome::kOk);
}

TEST_F(WorkerTest, DrainsByFinishingWhatItHas) {
  Farm farm(address_);
  const std::unique_ptr<Worker> worker = StartWorker();
  ASSERT_TRUE(Eventually([&] { return worker->Ready().has_value(); }));
  const std::unique_ptr<Call> call = Compile(kText, {"sm_80", "sm_86", "sm_90", "sm_100"});
  for (const auto& [target, result] : call->Results())
    EXPECT_EQ(result.result.outcome, Outcome::kOk);
  worker->Drain();
  EXPECT_FALSE(worker->Ready());
  EXPECT_TRUE(worker->WaitUntilDone(clock_.Now() + seconds(60)));
  EXPECT_TRUE(Eventually([&] { return SlotsOfServer() == 0; }));
}

TEST_F(WorkerTest, EndsAtOnceWhileCompiling) {
  Farm farm(address_);
  std::unique_ptr<Worker> worker = StartWorker();
  const std::unique_ptr<Call> call = Compile(SlowText(), {"sm_80", "sm_86"});
  ASSERT_TRUE(Eventually([&] { return worker->Counts().leases_running == 2; }));
  worker.reset();
  call->context.TryCancel();
  EXPECT_FALSE(call->stream->Finish().ok());
  // Nothing is left of it.
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_THAT(entry.path().filename().string(), testing::StartsWith("farm.sock"));
}

TEST_F(WorkerTest, SaysWhatItCannotStartWith) {
  const auto start = [&](WorkerOptions options) {
    options.confine_helper = options.confine_helper.empty() ? HelperPath() : options.confine_helper;
    return Worker::Start(
        std::move(options),
        {.clock = clock_, .logger = logger_, .metrics = metrics_, .environment = environment_});
  };
  EXPECT_EQ(start({}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(start({.servers = {"nowhere"}}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(start({.servers = {address_}, .cuda = {"/no/cuda"}}).error().code, Code::kNotFound);
  EXPECT_EQ(start({.servers = {address_}, .scratch = "/no/scratch"}).error().code, Code::kNotFound);
  EXPECT_EQ(start({.servers = {address_}, .confine_helper = "/no/helper"}).error().code,
            Code::kNotFound);
}

}  // namespace
}  // namespace ptxfarm::worker
