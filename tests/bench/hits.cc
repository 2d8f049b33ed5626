#include <thread>

#include "base/check.h"
#include "base/int.h"
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

// A module that is known already, and an echo that is as heavy in both directions.
struct Pair {
  v1::CompileRequest compile;
  EchoRequest echo;
  std::size_t cubin_bytes = 0;
};

Pair MakePair(v1::CompileService::Stub& farm, std::size_t kernels) {
  Pair pair{.compile = RequestFor(MakeModule(kernels, 0))};
  Compile(farm, pair.compile);
  const std::vector<v1::CompileResponse> hit = Compile(farm, pair.compile);
  PTXFARM_CHECK(hit.size() == 1 && ServedOf(hit) == v1::SERVED_HIT);
  pair.cubin_bytes = hit[0].results(0).result().outputs(0).digest().size_bytes();
  pair.echo.mutable_data()->assign(pair.compile.ByteSizeLong(), 'x');
  pair.echo.set_answer_bytes(static_cast<u32>(hit[0].ByteSizeLong()));
  return pair;
}

void Echo(EchoService::Stub& stub, const EchoRequest& request) {
  grpc::ClientContext context;
  EchoResponse response;
  const grpc::Status status = stub.Echo(&context, request, &response);
  PTXFARM_CHECK(status.ok() && response.data().size() == request.answer_bytes());
}

// The same weight through the kind of call that Compile is.
void EchoStreamed(EchoService::Stub& stub, const EchoRequest& echo) {
  grpc::ClientContext context;
  DownloadRequest request;
  request.set_data(echo.data());
  request.set_messages(1);
  request.set_message_bytes(echo.answer_bytes());
  const auto stream = stub.Download(&context, request);
  DownloadResponse response;
  while (stream->Read(&response)) PTXFARM_CHECK(response.data().size() == echo.answer_bytes());
  PTXFARM_CHECK(stream->Finish().ok());
}

std::string Sizes(const Pair& pair) {
  return fmt::format("{:.1f} KB of PTX, {:.0f} KB cubin",
                     static_cast<double>(pair.compile.text().size()) / 1e3,
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
  const Round hit = Alone([&] { Compile(farm, pair.compile); });
  PrintRow("hit, " + Sizes(pair), Compare(kRounds, hit, Alone([&] { Echo(echo, pair.echo); })), 1.3,
           "ms");
  PrintRow("  … against a stream of one message",
           Compare(kRounds, hit, Alone([&] { EchoStreamed(echo, pair.echo); })), 0, "ms");
}

void MeasureTogether(const Rivals& rivals, const Pair& pair) {
  std::vector<std::unique_ptr<v1::CompileService::Stub>> farms;
  std::vector<std::unique_ptr<EchoService::Stub>> echoes;
  for (int i = 0; i < kThreads; ++i) {
    farms.push_back(v1::CompileService::NewStub(rivals.Farm().grpc()));
    echoes.push_back(EchoService::NewStub(rivals.Echo().grpc()));
  }
  const auto compile = [&](v1::CompileService::Stub& stub) { Compile(stub, pair.compile); };
  const auto echo = [&](EchoService::Stub& stub) { Echo(stub, pair.echo); };
  PrintRow(fmt::format("hits from {} threads, {}", kThreads, Sizes(pair)),
           Compare(kRounds, Together(farms, compile), Together(echoes, echo)), kTogetherGoal, "ms");
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
