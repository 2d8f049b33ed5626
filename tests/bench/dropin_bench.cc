// A hit of the drop-in beside what it can't be quicker than, and beside compiler caches: whole
// processes, started in turn.
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/file.h"
#include "tests/bench/ratio.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

extern char** environ;

namespace ptxfarm::bench {
namespace {

constexpr int kRounds = 400;
constexpr int kLauncherRounds = 100;

using Words = std::vector<std::string>;

// Ends the bench where the process fails: a failing rival would be a quick one.
void RunProcess(const Words& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t process = 0;
  PTXFARM_CHECK(::posix_spawnp(&process, argv[0], nullptr, nullptr, argv.data(), environ) == 0,
                words[0]);
  int status = 0;
  ::waitpid(process, &status, 0);
  PTXFARM_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, words[0]);
}

Round Microseconds(const Words& words) {
  return [words] { return 1000 * Milliseconds([&] { RunProcess(words); }); };
}

bool IsInstalled(const std::string& program) {
  return test::RunShell("command -v " + program).exit_code == 0;
}

// About 80 KB of PTX, and a cubin of some 20 KB.
std::string Module() {
  std::string text =
      ".version 7.0\n.target sm_75\n.address_size 64\n\n.visible .entry k(.param .u64 p)\n{\n"
      "  .reg .u64 %rd<2>;\n  .reg .f32 %f<64>;\n  ld.param.u64 %rd1, [p];\n";
  for (int i = 0; i < 64; ++i) text += fmt::format("  ld.global.f32 %f{}, [%rd1+{}];\n", i, 4 * i);
  for (int i = 0; i < 1200; ++i)
    text += fmt::format("  fma.rn.f32 %f{}, %f{}, %f{}, %f{};  // {:030}\n", i % 64, i * 7 % 64,
                        i * 13 % 64, i * 29 % 64, i);
  for (int i = 0; i < 64; ++i) text += fmt::format("  st.global.f32 [%rd1+{}], %f{};\n", 4 * i, i);
  return text + "  ret;\n}\n";
}

class DropInBench {
 public:
  DropInBench() {
    ::setenv("PTXFARM_LOCAL_RESULTS", (folder_ / "results").c_str(), 1);
    ::setenv("PTXFARM_DROP_IN_FARM", "false", 1);
    ::setenv("PTXFARM_PTXAS", test::ToolkitTool("ptxas").c_str(), 1);
    ::setenv("CCACHE_DIR", (folder_ / "ccache").c_str(), 1);
    ::setenv("SCCACHE_DIR", (folder_ / "sccache").c_str(), 1);
    ::setenv("SCCACHE_SERVER_PORT", "42261", 1);
    PTXFARM_CHECK(WriteFileAtomically(folder_ / "k.ptx", Module()).has_value());
    PTXFARM_CHECK(
        WriteFileAtomically(folder_ / "k.c", "int k(int a) { return 3 * a; }\n").has_value());
    RunProcess(Hit());
    fmt::print("{} bytes of PTX, {} bytes of cubin\n", Size("k.ptx"), Size("k.cubin"));
  }

  void Run() {
    const std::string floor = test::ProgramPath("dropin_floor");
    PrintHead();
    // Writing a file where one was is dearer to some file systems than where none is; all rivals do
    // the same.
    Compare("hit ÷ empty process, reading and writing the files",
            Microseconds({floor, folder_ / "k.ptx", folder_ / "k.cubin", folder_ / "floor.cubin"}),
            1.5);
    Compare("hit ÷ empty process", Microseconds({floor}), 0);
    Compare("hit ÷ ptxas itself",
            Microseconds({test::ToolkitTool("ptxas"), "-arch=sm_80", folder_ / "k.ptx", "-o",
                          folder_ / "tool.cubin"}),
            0);
    if (IsInstalled("ccache"))
      Compare("hit ÷ hit of ccache (gcc -c, a line of C)",
              Microseconds({"ccache", "gcc", "-c", folder_ / "k.c", "-o", folder_ / "k.o"}), 0.5);
    if (IsInstalled("sccache")) {
      Compare("hit ÷ hit of sccache (gcc -c, a line of C)",
              Microseconds({"sccache", "gcc", "-c", folder_ / "k.c", "-o", folder_ / "k.o"}), 0.5);
      test::RunShell("sccache --stop-server");
    }
    if (IsInstalled("ccache")) CompareLauncher();
  }

 private:
  // Whole calls of nvcc that were made before: some 160 files are looked at.
  void CompareLauncher() const {
    PTXFARM_CHECK(WriteFileAtomically(folder_ / "k.cu", "__global__ void k(int* p) { *p = 1; }\n")
                      .has_value());
    const auto behind = [&](const std::string& launcher) {
      return Words{launcher, test::ToolkitTool("nvcc"), "-c", folder_ / "k.cu",
                   "-o",     folder_ / "k.cu.o"};
    };
    const Words ours = behind(test::ProgramPath("ptxfarm-nvcc")), ccache = behind("ccache");
    RunProcess(ours);
    RunProcess(ccache);
    PrintRow("nvcc launcher's hit ÷ hit of ccache",
             bench::Compare(kLauncherRounds, Microseconds(ours), Microseconds(ccache)), 0.5, "us");
  }

  Words Hit() const {
    return {test::ProgramPath("ptxfarm-ptxas"), "-arch=sm_80", folder_ / "k.ptx", "-o",
            folder_ / "k.cubin"};
  }
  u64 Size(const std::string& name) const { return ReadFile(folder_ / name, 1 << 30)->size(); }
  void Compare(const std::string& what, const Round& bare, double goal) const {
    PrintRow(what, bench::Compare(kRounds, Microseconds(Hit()), bare), goal, "us");
  }

  test::TempDir folder_;
};

}  // namespace
}  // namespace ptxfarm::bench

int main() {
  if (!ptxfarm::test::ToolkitRoot()) {
    fmt::print("no CUDA toolkit is here: nothing to measure a hit of\n");
    return 0;
  }
  ptxfarm::bench::DropInBench().Run();
}
