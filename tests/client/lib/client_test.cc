// The library against a scripted server over a real socket: what it sends, what it asks again, what
// it believes.
#include "client/lib/client.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rpc/policies.h"
#include "rpc/status.h"
#include "tests/client/lib/fake_farm.h"

namespace ptxfarm::client {
namespace {

using std::chrono::milliseconds;
using test::FakeFarm;
using test::OkResult;
using testing::HasSubstr;

const Blob kCubin = MakeBlob(std::string(5000, 'c'));

Client ConnectTo(const FakeFarm& farm, ConnectOptions options = {}) {
  options.server = farm.address();
  return *Client::Connect(options);
}

// Answers every target with the same object.
grpc::Status AnswerAll(const rpc::CompileRequest& request, const FakeFarm::Send& send,
                       bool inlined = true) {
  for (const std::string& target : request.targets) {
    rpc::CompileResponse response;
    response.results = {OkResult(target, kCubin)};
    if (inlined) response.blobs = {kCubin};
    send(response);
  }
  return grpc::Status::OK;
}

TEST(ClientTest, GivesObjectsResultsAndProgressInTheOrderOfTheStream) {
  FakeFarm farm([](int, const rpc::CompileRequest& request, const FakeFarm::Send& send,
                   grpc::ServerContext&) {
    rpc::CompileResponse first;
    first.module = rpc::ModuleInfo{.version = {8, 0}, .target = "sm_80", .entries = {"k"}};
    first.progress = {{"sm_90", rpc::TargetState::kQueued, ""}};
    send(first);
    return AnswerAll(request, send);
  });
  std::vector<std::string> seen;
  const CompileCallbacks callbacks{
      .progress = [&](const TargetProgress& at) { seen.push_back("progress " + at.target); },
      .result =
          [&](const TargetReply& at) {
            seen.push_back(fmt::format("result {} {}", at.target, at.object.size()));
          }};
  const Result<CompileReply> reply =
      ConnectTo(farm).Compile({.text = "x", .targets = {"sm_90", "sm_80", "sm_90"}}, callbacks);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_THAT(seen,
              testing::ElementsAre("progress sm_90", "result sm_90 5000", "result sm_80 5000"));
  ASSERT_EQ(reply->targets.size(), 2u) << "each once";
  EXPECT_EQ(reply->targets[1].target, "sm_80");
  EXPECT_TRUE(reply->targets[1].ok());
  EXPECT_EQ(reply->targets[1].object, std::string(5000, 'c'));
  EXPECT_EQ(reply->module.entries, std::vector<std::string>{"k"});
  EXPECT_EQ(farm.downloads(), 0);
}

TEST(ClientTest, SmallTextsRideAndLargeOnesAreUploadedOnlyWhereTheyAreMissing) {
  std::vector<bool> inlined;
  FakeFarm* self = nullptr;
  FakeFarm farm([&](int, const rpc::CompileRequest& request, const FakeFarm::Send& send,
                    grpc::ServerContext&) {
    const Digest* digest = std::get_if<Digest>(&request.source);
    inlined.push_back(digest == nullptr);
    if (digest != nullptr && !self->Holds(*digest))
      return grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, "missing");
    return AnswerAll(request, send);
  });
  self = &farm;
  const Client client = ConnectTo(farm);
  ASSERT_TRUE(client.Compile({.text = "small", .targets = {"sm_80"}}));
  const std::string large(rpc::kInlineSourceBytesMax + 1, 'p');
  ASSERT_TRUE(client.Compile({.text = large, .targets = {"sm_80"}}));
  EXPECT_EQ(farm.uploads(), 1);
  ASSERT_TRUE(client.Compile({.text = large, .targets = {"sm_80"}}));
  EXPECT_EQ(farm.uploads(), 1) << "it is there";
  EXPECT_THAT(inlined, testing::ElementsAre(true, false, false, false));
}

TEST(ClientTest, DownloadsWhatDoesNotRide) {
  FakeFarm farm([](int, const rpc::CompileRequest& request, const FakeFarm::Send& send,
                   grpc::ServerContext&) { return AnswerAll(request, send, /*inlined=*/false); });
  farm.Hold(kCubin);
  const Result<CompileReply> reply = ConnectTo(farm).Compile({.text = "x", .targets = {"sm_80"}});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->targets[0].object, std::string(5000, 'c'));
  EXPECT_EQ(farm.downloads(), 1);
}

TEST(ClientTest, BelievesNoBlobThatIsNotItsDigest) {
  FakeFarm farm([](int, const rpc::CompileRequest& request, const FakeFarm::Send& send,
                   grpc::ServerContext&) { return AnswerAll(request, send, /*inlined=*/false); });
  farm.Hold(kCubin);
  farm.Damage();
  const Result<CompileReply> reply =
      ConnectTo(farm, {.attempts_max = 2}).Compile({.text = "x", .targets = {"sm_80"}});
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("is something else"));
  EXPECT_EQ(farm.calls(), 2) << "asked again, it might have been made again";
}

TEST(ClientTest, AsksAgainAfterTheDelayThatAFullServerNames) {
  FakeFarm farm([](int call, const rpc::CompileRequest& request, const FakeFarm::Send& send,
                   grpc::ServerContext&) {
    if (call == 0)
      return rpc::ToStatus(MakeError(Code::kResourceExhausted, "the queue is full"),
                           milliseconds(200));
    return AnswerAll(request, send);
  });
  std::vector<milliseconds> delays;
  const CompileCallbacks callbacks{
      .retry = [&](const Error&, milliseconds delay) { delays.push_back(delay); }};
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(ConnectTo(farm).Compile({.text = "x", .targets = {"sm_80"}}, callbacks));
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(200));
  EXPECT_THAT(delays, testing::ElementsAre(milliseconds(200)));
}

TEST(ClientTest, AsksAgainWhereTheCompilerWasReplaced) {
  FakeFarm farm([](int call, const rpc::CompileRequest& request, const FakeFarm::Send& send,
                   grpc::ServerContext&) {
    if (call > 0) return AnswerAll(request, send);
    send({.results = {{.target = "sm_80",
                       .result = action::Failed(action::Outcome::kFault,
                                                std::string(action::kCompilerChanged),
                                                "ptxas was replaced")}}});
    return grpc::Status::OK;
  });
  std::vector<std::string> reasons;
  const CompileCallbacks callbacks{
      .retry = [&](const Error& why, milliseconds) { reasons.push_back(why.message); }};
  const Result<CompileReply> reply =
      ConnectTo(farm).Compile({.text = "x", .targets = {"sm_80"}}, callbacks);
  ASSERT_TRUE(reply) << reply.error().ToString();
  EXPECT_TRUE(reply->targets[0].ok());
  EXPECT_THAT(reasons, testing::ElementsAre("ptxas was replaced"));
}

TEST(ClientTest, NeverAsksAgainWhatCannotHelp) {
  const grpc::StatusCode codes[] = {
      grpc::StatusCode::INVALID_ARGUMENT, grpc::StatusCode::UNAUTHENTICATED,
      grpc::StatusCode::PERMISSION_DENIED, grpc::StatusCode::RESOURCE_EXHAUSTED,
      grpc::StatusCode::FAILED_PRECONDITION};
  for (const grpc::StatusCode code : codes) {
    FakeFarm farm([&](int, const rpc::CompileRequest&, const FakeFarm::Send&,
                      grpc::ServerContext&) { return grpc::Status(code, "no"); });
    const Result<CompileReply> reply = ConnectTo(farm).Compile({.text = "x", .targets = {"sm_80"}});
    ASSERT_FALSE(reply);
    EXPECT_EQ(static_cast<int>(reply.error().code), static_cast<int>(code));
    EXPECT_EQ(farm.calls(), 1) << code;
  }
}

TEST(ClientTest, KeepsWhatCameBeforeACallBroke) {
  FakeFarm farm(
      [](int, const rpc::CompileRequest&, const FakeFarm::Send& send, grpc::ServerContext&) {
        rpc::CompileResponse response;
        response.results = {OkResult("sm_80", kCubin)};
        response.blobs = {kCubin};
        send(response);
        return grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "too slow");
      });
  const Result<CompileReply> reply =
      ConnectTo(farm).Compile({.text = "x", .targets = {"sm_80", "sm_90"}, .fatbin = true});
  ASSERT_TRUE(reply);
  EXPECT_TRUE(reply->targets[0].ok());
  EXPECT_EQ(reply->targets[1].result.outcome, action::Outcome::kServiceLimit);
  ASSERT_TRUE(reply->fatbin);
  EXPECT_EQ(reply->fatbin->result.outcome, action::Outcome::kServiceLimit);
}

TEST(ClientTest, ALostServerIsRevivedAndTheTargetsAnsweredBeforeAreKept) {
  FakeFarm* self = nullptr;
  FakeFarm farm([&](int call, const rpc::CompileRequest& request, const FakeFarm::Send& send,
                    grpc::ServerContext&) {
    if (call > 0) return AnswerAll(request, send);
    rpc::CompileResponse response;
    response.results = {OkResult("sm_80", kCubin)};
    response.blobs = {kCubin};
    send(response);
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server is draining");
  });
  self = &farm;
  int revived = 0;
  std::vector<std::string> results;
  const Client client = ConnectTo(farm, {.revive = [&]() -> Status {
                                    ++revived;
                                    self->Stop();
                                    self->Start();
                                    return Ok{};
                                  }});
  const CompileCallbacks callbacks{
      .result = [&](const TargetReply& at) { results.push_back(at.target); }};
  const Result<CompileReply> reply =
      client.Compile({.text = "x", .targets = {"sm_80", "sm_90"}}, callbacks);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_TRUE(reply->targets[1].ok());
  EXPECT_EQ(revived, 1);
  EXPECT_THAT(results, testing::ElementsAre("sm_80", "sm_90")) << "each is told once";
}

TEST(ClientTest, SaysThatNoServerIsThere) {
  const test::TempDir folder;
  const Client client =
      *Client::Connect({.server = "unix:" + (folder / "nothing.sock"), .attempts_max = 2});
  const Result<Capabilities> capabilities = client.GetCapabilities();
  ASSERT_FALSE(capabilities);
  EXPECT_EQ(capabilities.error().code, Code::kUnavailable);
  EXPECT_THAT(capabilities.error().message, HasSubstr("no server listens there"));
}

TEST(ClientTest, CancelEndsACallThatWaits) {
  std::atomic<bool> seen = false;
  const CancelToken cancel;
  FakeFarm farm(
      [&](int, const rpc::CompileRequest&, const FakeFarm::Send&, grpc::ServerContext& context) {
        cancel.Cancel();
        while (!context.IsCancelled()) std::this_thread::yield();
        seen = true;
        return grpc::Status::CANCELLED;
      });
  const Result<CompileReply> reply =
      ConnectTo(farm).Compile({.text = "x", .targets = {"sm_80"}}, {}, cancel);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kCancelled);
  farm.Stop();
  EXPECT_TRUE(seen) << "the server was told";
}

TEST(ClientTest, ADeadlineTravelsAndEndsTheTries) {
  FakeFarm farm(
      [](int, const rpc::CompileRequest&, const FakeFarm::Send&, grpc::ServerContext& context) {
        while (!context.IsCancelled()) std::this_thread::yield();
        return grpc::Status::CANCELLED;
      });
  const Result<CompileReply> reply =
      ConnectTo(farm).Compile({.text = "x", .targets = {"sm_80"}, .deadline = milliseconds(100)});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kDeadlineExceeded);
}

TEST(ClientTest, ManyThreadsShareOneClient) {
  FakeFarm farm([](int, const rpc::CompileRequest& request, const FakeFarm::Send& send,
                   grpc::ServerContext&) { return AnswerAll(request, send); });
  const Client client = ConnectTo(farm);
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      for (int call = 0; call < 10; ++call)
        good += client.Compile({.text = "x", .targets = {"sm_80", "sm_90"}}).has_value();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 160);
}

TEST(ClientTest, BlobsGoThereAndBack) {
  FakeFarm farm([](int, const rpc::CompileRequest&, const FakeFarm::Send&, grpc::ServerContext&) {
    return grpc::Status::OK;
  });
  const Client client = ConnectTo(farm);
  const std::string bytes(3'000'000, 'b');
  ASSERT_TRUE(client.Upload(bytes));
  EXPECT_EQ(*client.Download(DigestOf(bytes)), bytes);
  const Result<std::string> missing = client.Download(DigestOf("never"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::kNotFound);
  EXPECT_EQ(client.GetCapabilities()->server_version, "9.9.9");
}

}  // namespace
}  // namespace ptxfarm::client
