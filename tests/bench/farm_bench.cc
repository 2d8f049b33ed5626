// The farm's speed, as ratios: what docs/design.md §12 wants of it, measured between real processes
// on this machine.
//
//   farm_bench [NAME…]        only these: hits misses streams memory
//   farm_bench --echo ADDRESS the bare gRPC server, for farm_bench itself
//
// What needs a CUDA toolkit is left out, and said so, where there is none.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "tests/bench/echo_server.h"
#include "tests/bench/measures.h"
#include "tests/bench/ratio.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::bench {
namespace {

struct Measure {
  std::string_view name;
  void (*with_toolkit)(Rivals&, const std::string& cuda);
  void (*without)(Rivals&);
};

// clang-format off
constexpr Measure kMeasures[] = {
    {"hits",    MeasureHits,   nullptr},
    {"misses",  MeasureMisses, nullptr},
    {"streams", nullptr,       MeasureStreams},
    {"memory",  nullptr,       MeasureMemory},
};
// clang-format on

int Run(const std::string& self, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool known = std::any_of(std::begin(kMeasures), std::end(kMeasures),
                                   [&](const Measure& measure) { return measure.name == name; });
    if (!known) {
      fmt::print(stderr, "farm_bench: no measure is named '{}'\n", name);
      return 2;
    }
  }
  const std::optional<std::string> cuda = test::ToolkitRoot();
  Rivals rivals(self);
  PrintHead();
  for (const Measure& measure : kMeasures) {
    if (!names.empty() && std::find(names.begin(), names.end(), measure.name) == names.end())
      continue;
    if (measure.without != nullptr)
      measure.without(rivals);
    else if (cuda)
      measure.with_toolkit(rivals, *cuda);
    else
      fmt::print("{}: left out, there is no CUDA toolkit here (set CUDA_HOME to name one)\n",
                 measure.name);
  }
  return 0;
}

}  // namespace
}  // namespace ptxfarm::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "--echo") {
    ptxfarm::bench::ServeEcho(words[1]);
    return 0;
  }
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  // Our programs lie beside this one.
  ::setenv("PTXFARM_BIN", self.parent_path().c_str(), /*overwrite=*/0);
  return ptxfarm::bench::Run(self, words);
}
