// `ptxfarm-nvcc nvcc …`, also under the name `nvcc`, and between the steps of the nvcc that it runs
// as `cicc` and `cudafe++`.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/drop_in_mark.h"
#include "client/dropin/nvcc/launch.h"
#include "client/dropin/nvcc/step.h"

namespace {

// Read by who looks for the real tool (base/drop_in_mark.h).
[[gnu::used]] constexpr char kMark[] = "ptxfarm-drop-in: not the compiler itself\n";
static_assert(std::string_view(kMark) == ptxfarm::kDropInMark);

bool IsNvcc(std::string_view path) { return path.substr(path.rfind('/') + 1) == "nvcc"; }

}  // namespace

int main(int argc, char** argv) {
  using namespace ptxfarm::dropin;
  if (IsStep(argv[0])) return RunStep(argc, argv);
  std::vector<std::string> words(argv + 1, argv + argc);
  if (IsNvcc(argv[0])) return LaunchNvcc("nvcc", words);
  if (words.empty() || !IsNvcc(words[0])) {
    std::fputs("usage: ptxfarm-nvcc [FOLDER/]nvcc WORDS OF NVCC…\n", stderr);
    return 2;
  }
  const std::string nvcc = words[0];
  words.erase(words.begin());
  return LaunchNvcc(nvcc, words);
}
