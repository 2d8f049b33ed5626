// libptxfarm and libptxfarm_nvptxcompiler as a stranger meets them: installed, found by pkg-config
// and CMake, built against from C, and run on a farm of real processes.
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>

#include "base/file.h"
#include "tests/integration/farm_fixture.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using testing::HasSubstr;

std::string Source() { return std::getenv("PTXFARM_SOURCE"); }
std::string BuildFolder() {
  return std::filesystem::path(std::getenv("PTXFARM_BIN")).parent_path();
}

constexpr const char* kWarnings = "-std=c11 -pedantic -Wall -Wextra -Wconversion -Werror";

class CLibraryTest : public FarmTest {
 protected:
  void SetUp() override {
    prefix_ = dir_ / "installed";
    const Ran installed = RunShell(
        fmt::format("cmake --install {} --component library --prefix {}", BuildFolder(), prefix_));
    ASSERT_EQ(installed.exit_code, 0) << installed.output;
    lib_ = RunShell("dirname $(find " + prefix_ + " -name libptxfarm.so)").output;
    lib_.resize(lib_.size() - 1);
  }

  Ran PkgConfig(const std::string& words) const {
    return RunShell(fmt::format("PKG_CONFIG_PATH={}/pkgconfig pkg-config {}", lib_, words));
  }
  // Builds a program of tests/client/c with what pkg-config says of a package.
  std::string Build(const std::string& name, const std::string& package,
                    const std::string& more = "") const {
    Ran flags = PkgConfig("--cflags --libs " + package);
    EXPECT_EQ(flags.exit_code, 0) << flags.output;
    while (flags.output.ends_with('\n')) flags.output.pop_back();
    const std::string program = dir_ / name;
    const Ran built =
        RunShell(fmt::format("cc {} {} {}/tests/client/c/{}.c -o {} {} -pthread -Wl,-rpath,{}",
                             kWarnings, more, Source(), name, program, flags.output, lib_));
    EXPECT_EQ(built.exit_code, 0) << built.output;
    return program;
  }
  Ran RunOnFarm(const std::string& command) const {
    return RunShell(fmt::format("PTXFARM_SERVER={} {}", address(), command));
  }
  void StartFarm() {
    PTXFARM_NEED_TOOLKIT();
    StartServer();
    StartWorker();
  }

  std::string prefix_;
  std::string lib_;
};

// The names that a header declares: "prefix…(".
std::set<std::string> DeclaredIn(const std::string& header, const std::string& prefix) {
  const Ran found =
      RunShell(fmt::format("grep -o '\\b{}[A-Za-z_]*(' {} | tr -d '('", prefix, header));
  std::istringstream lines(found.output);
  return {std::istream_iterator<std::string>(lines), {}};
}

TEST_F(CLibraryTest, ExportsWhatItsHeadersDeclareAndNothingElse) {
  struct Case {
    const char* library;
    const char* header;
    const char* prefix;
    const char* version;
  };
  for (const Case& c :
       {Case{"libptxfarm.so", "ptxfarm.h", "ptxfarm_", "@@PTXFARM_1"},
        Case{"libptxfarm_nvptxcompiler.so", "nvptxcompiler.h", "nvPTXCompiler", ""}}) {
    const std::set<std::string> declared =
        DeclaredIn(prefix_ + "/include/ptxfarm/" + c.header, c.prefix);
    EXPECT_GE(declared.size(), 10u);
    std::set<std::string> wanted;
    for (const std::string& name : declared) wanted.insert(name + c.version);
    std::set<std::string> exported;
    std::istringstream lines(
        RunShell(fmt::format("nm -D --defined-only {}/{} | grep -v ' A '", lib_, c.library))
            .output);
    for (std::string address, kind, name; lines >> address >> kind >> name;) exported.insert(name);
    EXPECT_EQ(exported, wanted) << c.library;
  }
}

TEST_F(CLibraryTest, IsFoundByPkgConfigAlsoWhenMoved) {
  EXPECT_EQ(PkgConfig("--modversion ptxfarm").output,
            PkgConfig("--modversion ptxfarm_nvptxcompiler").output);
  const std::string moved = dir_ / "moved";
  std::filesystem::rename(prefix_, moved);
  lib_.replace(0, prefix_.size(), moved);
  prefix_ = moved;
  const Ran ran = RunShell(Build("api", "ptxfarm"));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("libptxfarm "));
}

TEST_F(CLibraryTest, IsFoundByCMake) {
  const std::string project = dir_ / "project";
  std::filesystem::create_directories(project);
  ASSERT_TRUE(WriteFileAtomically(
      project + "/CMakeLists.txt",
      fmt::format("cmake_minimum_required(VERSION 3.20)\nproject(stranger C)\n"
                  "find_package(ptxfarm 0.1 REQUIRED)\nfind_package(Threads REQUIRED)\n"
                  "add_executable(api {0}/tests/client/c/api.c)\n"
                  "target_link_libraries(api ptxfarm::ptxfarm Threads::Threads)\n"
                  "add_executable(nvptx {0}/tests/client/c/nvptx.c)\n"
                  "target_link_libraries(nvptx ptxfarm::nvptxcompiler)\n",
                  Source())));
  const Ran built = RunShell(
      fmt::format("cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH={1} && cmake --build {0}/build",
                  project, prefix_));
  ASSERT_EQ(built.exit_code, 0) << built.output;
  const Ran ran = RunShell(project + "/build/api");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
}

TEST_F(CLibraryTest, HeadersAreOfCAndCxx) {
  for (const char* const compiler :
       {"cc -xc -std=c99", "cc -xc -std=c11", "c++ -xc++ -std=c++11", "c++ -xc++ -std=c++20"}) {
    const Ran ran = RunShell(fmt::format(
        "printf '#include <ptxfarm/ptxfarm.h>\\n#include <ptxfarm/nvptxcompiler.h>\\n' | "
        "{} -pedantic -Wall -Wextra -Werror -I{}/include -fsyntax-only -",
        compiler, prefix_));
    EXPECT_EQ(ran.exit_code, 0) << compiler << "\n" << ran.output;
  }
}

TEST_F(CLibraryTest, ServesAProgramInC) {
  StartFarm();
  if (IsSkipped()) return;
  ASSERT_TRUE(WriteFileAtomically(dir_ / "slow.ptx", SlowModule(3000)));
  const Ran ran = RunOnFarm(Build("api", "ptxfarm") + " " + dir_ / "slow.ptx");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
}

TEST_F(CLibraryTest, ServesAProgramOfThePtxCompilerApi) {
  StartFarm();
  if (IsSkipped()) return;
  const std::string program = Build("nvptx", "ptxfarm_nvptxcompiler");
  const Ran ran = RunOnFarm(program + " " + dir_ / "image.cubin");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("version 13.")) << "of the toolkit here, as long as that is 13";
  // The dumper is no part of every toolkit.
  if (!std::filesystem::exists(ToolkitTool("nvdisasm"))) return;
  const Ran looked = RunShell(ToolkitTool("nvdisasm") + " " + dir_ / "image.cubin");
  EXPECT_EQ(looked.exit_code, 0) << looked.output;
}

TEST_F(CLibraryTest, ServesAProgramBuiltWithNvidiasHeader) {
  PTXFARM_NEED_TOOLKIT();
  const std::string include = *ToolkitRoot() + "/include";
  if (!std::filesystem::exists(include + "/nvPTXCompiler.h"))
    GTEST_SKIP() << "no nvPTXCompiler.h in " << include;
  StartFarm();
  // As its link line has it, with our folder first.
  const std::string program = dir_ / "nvidia";
  const Ran built =
      RunShell(fmt::format("cc -DHAVE_NVIDIA_HEADER -I{} {}/tests/client/c/nvptx.c -o {} "
                           "-L{}/ptxfarm -lnvptxcompiler_static "
                           "-Wl,-rpath,{}",
                           include, Source(), program, lib_, lib_));
  ASSERT_EQ(built.exit_code, 0) << built.output;
  const Ran ran = RunOnFarm(program + " " + dir_ / "image.cubin");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
}

TEST_F(CLibraryTest, LinksUnderTheNameOfNvidiasArchive) {
  const std::string program = dir_ / "shadow";
  const Ran built =
      RunShell(fmt::format("cc -I{0}/include {1}/tests/client/c/nvptx.c -o {2} -L{3}/ptxfarm "
                           "-lnvptxcompiler_static -Wl,-rpath,{3} && "
                           "ldd {2}",
                           prefix_, Source(), program, lib_));
  EXPECT_EQ(built.exit_code, 0) << built.output;
  EXPECT_THAT(built.output, HasSubstr(lib_ + "/libptxfarm_nvptxcompiler.so.1"));
}

// Without a server in the environment, the library starts the farm of this user, and finds it
// again.
TEST_F(CLibraryTest, StartsTheLocalFarm) {
  PTXFARM_NEED_TOOLKIT();
  ASSERT_TRUE(WriteFileAtomically(dir_ / "slow.ptx", SlowModule(3000)));
  std::filesystem::create_directories(dir_ / "run");
  std::filesystem::permissions(dir_ / "run", std::filesystem::perms::owner_all);
  const std::string environment = fmt::format(
      "env -u PTXFARM_SERVER XDG_RUNTIME_DIR={0}/run XDG_CACHE_HOME={0}/cache PTXFARM_CUDA={1} "
      "PTXFARM_SERVE={2} ",
      dir_.path(), *ToolkitRoot(), ProgramPath("ptxfarm-serve"));
  const std::string program = Build("api", "ptxfarm");
  const Ran ran = RunShell(environment + program + " " + dir_ / "slow.ptx");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const Ran stopped = RunShell(environment + ProgramPath("ptxfarm") + " stop");
  EXPECT_EQ(stopped.exit_code, 0) << stopped.output;
}

// ---- Python, over the same library

TEST_F(CLibraryTest, ServesPython) {
  StartFarm();
  if (IsSkipped()) return;
  const Ran ran = RunOnFarm(fmt::format(
      "PTXFARM_LIBRARY={}/libptxfarm.so.1 PYTHONPATH={}/client/python PYTHONDONTWRITEBYTECODE=1 "
      "python3 -m unittest discover -v -s {}/tests/client/python -p 'farm_test.py' 2>&1",
      lib_, Source(), Source()));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("\nOK"));
}

TEST_F(CLibraryTest, TritonsFilesAreSharedThroughTheCache) {
  StartServer({"--http", "127.0.0.1:0", "--http-cache"});
  const std::optional<std::string> line = server_->WaitForLine("page_listening");
  ASSERT_TRUE(line.has_value()) << server_->output();
  const Ran ran = RunShell(fmt::format(
      "PTXFARM_HTTP_CACHE={} PYTHONPATH={}/client/python PYTHONDONTWRITEBYTECODE=1 "
      "python3 -m unittest discover -v -s {}/tests/client/python -p 'triton_test.py' 2>&1",
      line->substr(line->find("url=") + 4), Source(), Source()));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("\nOK"));
}

}  // namespace
}  // namespace ptxfarm::test
