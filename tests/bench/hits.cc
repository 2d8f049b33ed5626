#include <thread>

#include <google/protobuf/arena.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/int.h"
#include "rpc/convert.h"
#include "tests/bench/measures.h"
#include "tests/bench/ratio.h"

namespace ptxfarm::bench {
namespace {

constexpr int kRounds = 15;
constexpr int kCallsAlone = 200;    // Of one round.
constexpr int kCallsTogether = 50;  // Of each thread.
constexpr int kThreads = 16;

// ≥ 70 % of the echo's requests a second.
constexpr double kTogetherGoal = 1 / 0.7;

// As the client's library does it.
v1::FindResultsResponse& Find(v1::CompileService::Stub& farm, const v1::FindResultsRequest& request,
                              google::protobuf::Arena& arena) {
  grpc::ClientContext context;
  auto& response = *google::protobuf::Arena::CreateMessage<v1::FindResultsResponse>(&arena);
  const grpc::Status status = farm.FindResults(&context, request, &response);
  PTXFARM_CHECK(status.ok(), status.error_message());
  PTXFARM_CHECK(response.compile().results(0).served() == v1::SERVED_HIT);
  return response;
}

// A module that is known already, asked for as the client does: by digest, and an echo that is as
// heavy in both directions.
struct Pair {
  v1::FindResultsRequest find;
  EchoRequest echo;
  std::size_t text_bytes = 0;
  std::size_t cubin_bytes = 0;
};

Pair MakePair(v1::CompileService::Stub& farm, std::size_t kernels) {
  v1::CompileRequest compile = RequestFor(MakeModule(kernels, 0));
  Compile(farm, compile);
  Pair pair{.text_bytes = compile.text().size()};
  *compile.mutable_digest() = rpc::ToProto(DigestOf(compile.text()));
  *pair.find.mutable_compile() = std::move(compile);
  google::protobuf::Arena arena;
  const v1::FindResultsResponse& hit = Find(farm, pair.find, arena);
  pair.cubin_bytes = hit.compile().results(0).result().outputs(0).digest().size_bytes();
  pair.echo.mutable_data()->assign(pair.find.ByteSizeLong(), 'x');
  pair.echo.set_answer_bytes(static_cast<u32>(hit.ByteSizeLong()));
  return pair;
}

void Echo(EchoService::Stub& stub, const EchoRequest& request) {
  grpc::ClientContext context;
  EchoResponse response;
  const grpc::Status status = stub.Echo(&context, request, &response);
  PTXFARM_CHECK(status.ok() && response.data().size() == request.answer_bytes());
}

std::string Sizes(const Pair& pair) {
  return fmt::format("{:.1f} KB of PTX, {:.0f} KB cubin",
                     static_cast<double>(pair.text_bytes) / 1e3,
                     static_cast<double>(pair.cubin_bytes) / 1e3);
}

// Milliseconds a call, one call after the other.
template <typename Call>
Round Alone(Call call) {
  return [call] {
    return Milliseconds([&] {
             for (int i = 0; i < kCallsAlone; ++i) call();
           }) /
           kCallsAlone;
  };
}

// Milliseconds a call, all threads together; each has a stub of its own.
template <typename Stubs, typename Call>
Round Together(const Stubs& stubs, Call call) {
  return [&stubs, call] {
    return Milliseconds([&] {
             std::vector<std::thread> threads;
             for (const auto& stub : stubs)
               threads.emplace_back([&stub, &call] {
                 for (int i = 0; i < kCallsTogether; ++i) call(*stub);
               });
             for (std::thread& thread : threads) thread.join();
           }) /
           (kCallsTogether * kThreads);
  };
}

void MeasureAlone(v1::CompileService::Stub& farm, EchoService::Stub& echo, const Pair& pair) {
  const Round hit = Alone([&] {
    google::protobuf::Arena arena;
    Find(farm, pair.find, arena);
  });
  PrintRow("hit, " + Sizes(pair), Compare(kRounds, hit, Alone([&] { Echo(echo, pair.echo); })), 1.3,
           "ms");
}

void MeasureTogether(const Rivals& rivals, const Pair& pair) {
  std::vector<std::unique_ptr<v1::CompileService::Stub>> farms;
  std::vector<std::unique_ptr<EchoService::Stub>> echoes;
  for (int i = 0; i < kThreads; ++i) {
    farms.push_back(v1::CompileService::NewStub(rivals.Farm().grpc()));
    echoes.push_back(EchoService::NewStub(rivals.Echo().grpc()));
  }
  const auto find = [&](v1::CompileService::Stub& stub) {
    google::protobuf::Arena arena;
    Find(stub, pair.find, arena);
  };
  const auto echo = [&](EchoService::Stub& stub) { Echo(stub, pair.echo); };
  PrintRow(fmt::format("hits from {} threads, {}", kThreads, Sizes(pair)),
           Compare(kRounds, Together(farms, find), Together(echoes, echo)), kTogetherGoal, "ms");
}

}  // namespace

void MeasureHits(Rivals& rivals, const std::string& cuda) {
  rivals.StartWorker(cuda);
  const auto farm = v1::CompileService::NewStub(rivals.Farm().grpc());
  const auto echo = EchoService::NewStub(rivals.Echo().grpc());
  for (const std::size_t kernels : {1u, 10u, 80u})
    MeasureAlone(*farm, *echo, MakePair(*farm, kernels));
  for (const std::size_t kernels : {1u, 10u, 80u})
    MeasureTogether(rivals, MakePair(*farm, kernels));
}

}  // namespace ptxfarm::bench
