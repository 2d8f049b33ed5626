#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/check.h"
#include "tests/bench/measures.h"
#include "tests/bench/ratio.h"

namespace ptxfarm::bench {
namespace {

constexpr int kRounds = 9;
constexpr int kClients = 16;
constexpr std::size_t kJoinedKernels = 40;

// What the farm may add: 3 ms and 2 %.
double GoalFor(const Ratio& ratio) { return 1.02 + 3 / ratio.bare; }

// ptxas as a build system calls it: write the module, run, read the cubin. With `verbose` it is
// asked for the figures of each kernel as well, which the farm always asks it for.
class DirectPtxas {
 public:
  DirectPtxas(std::string ptxas, std::string folder, bool verbose)
      : ptxas_(std::move(ptxas)),
        input_(folder + "/input.ptx"),
        output_(folder + "/output.cubin"),
        log_(folder + "/log"),
        verbose_(verbose) {
    std::filesystem::create_directories(folder);
  }

  void Compile(const std::string& text) const {
    std::ofstream(input_, std::ios::binary) << text;
    const char* const words[] = {ptxas_.c_str(), "-arch=sm_80",   input_.c_str(),
                                 "-o",           output_.c_str(), verbose_ ? "-v" : nullptr,
                                 nullptr};
    char* const environment[] = {nullptr};
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log_.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t pid = 0;
    PTXFARM_CHECK(::posix_spawn(&pid, words[0], &actions, nullptr, const_cast<char**>(words),
                                environment) == 0);
    ::posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    PTXFARM_CHECK(::waitpid(pid, &status, 0) == pid && status == 0);
    std::ifstream file(output_, std::ios::binary);
    const std::string cubin(std::istreambuf_iterator<char>(file), {});
    PTXFARM_CHECK(!cubin.empty());
  }

 private:
  const std::string ptxas_;
  const std::string input_;
  const std::string output_;
  const std::string log_;
  const bool verbose_;
};

// What the worker says that the compiler's process took, its start and its confinement in it.
double ProcessMilliseconds(const std::vector<v1::CompileResponse>& messages) {
  for (const v1::CompileResponse& message : messages)
    for (const v1::TargetResult& result : message.results()) {
      const google::protobuf::Duration& took = result.result().wall_time();
      return static_cast<double>(took.seconds()) * 1e3 + took.nanos() * 1e-6;
    }
  PTXFARM_CHECK(false, "no result");
}

// Texts that nobody has seen before; both rivals get the same ones.
class FreshModules {
 public:
  FreshModules(std::size_t kernels, std::size_t salt) : kernels_(kernels), salt_(salt) {}
  std::string Next() { return MakeModule(kernels_, ++salt_); }

 private:
  const std::size_t kernels_;
  std::size_t salt_;
};

void MeasureOne(Rivals& rivals, const std::string& cuda, std::size_t kernels, bool verbose) {
  const DirectPtxas direct(cuda + "/bin/ptxas", rivals.Folder("direct"), verbose);
  const auto farm = v1::CompileService::NewStub(rivals.Farm().grpc());
  const std::size_t salt = verbose ? 500'000 : 0;
  FreshModules for_farm(kernels, salt), for_direct(kernels, salt);
  std::vector<double> around;  // What the farm took before and after the process.
  const Ratio ratio = Compare(
      kRounds,
      [&] {
        const v1::CompileRequest request = RequestFor(for_farm.Next());
        std::vector<v1::CompileResponse> messages;
        const double took = Milliseconds([&] { messages = Compile(*farm, request); });
        PTXFARM_CHECK(ServedOf(messages) == v1::SERVED_MISS);
        around.push_back(took - ProcessMilliseconds(messages));
        return took;
      },
      [&] {
        const std::string text = for_direct.Next();
        return Milliseconds([&] { direct.Compile(text); });
      });
  PrintRow(fmt::format("miss, {} kernel{}, against ptxas{}", kernels, kernels == 1 ? "" : "s",
                       verbose ? " -v" : ""),
           ratio, GoalFor(ratio), "ms");
  std::nth_element(around.begin(), around.begin() + kRounds / 2, around.end());
  fmt::print("  of farm-bare, outside of the compiler's process: {:.2f} ms\n", around[kRounds / 2]);
}

// Each client has a connection of its own; exactly one compile may come of it.
double AskTogether(const std::vector<std::unique_ptr<v1::CompileService::Stub>>& clients,
                   const v1::CompileRequest& request) {
  std::vector<v1::Served> served(clients.size());
  const double took = Milliseconds([&] {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < clients.size(); ++i)
      threads.emplace_back([&, i] { served[i] = ServedOf(Compile(*clients[i], request)); });
    for (std::thread& thread : threads) thread.join();
  });
  PTXFARM_CHECK(std::count(served.begin(), served.end(), v1::SERVED_MISS) == 1);
  return took;
}

void MeasureJoined(Rivals& rivals) {
  std::vector<std::unique_ptr<v1::CompileService::Stub>> one, many;
  for (int i = 0; i < kClients; ++i)
    many.push_back(v1::CompileService::NewStub(rivals.Farm().grpc()));
  one.push_back(v1::CompileService::NewStub(rivals.Farm().grpc()));
  std::size_t salt = 1'000'000;  // Apart from those of MeasureOne.
  const auto ask = [&](const auto& clients) {
    return AskTogether(clients, RequestFor(MakeModule(kJoinedKernels, ++salt)));
  };
  PrintRow(
      fmt::format("{} clients miss the same {} kernels, against one", kClients, kJoinedKernels),
      Compare(
          kRounds, [&] { return ask(many); }, [&] { return ask(one); }),
      1.05, "ms");
}

}  // namespace

void MeasureMisses(Rivals& rivals, const std::string& cuda) {
  rivals.StartWorker(cuda);
  for (const std::size_t kernels : {1u, 40u, 400u}) MeasureOne(rivals, cuda, kernels, false);
  MeasureOne(rivals, cuda, 400, true);
  MeasureJoined(rivals);
}

}  // namespace ptxfarm::bench
