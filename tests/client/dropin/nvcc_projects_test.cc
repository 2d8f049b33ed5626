// Whole projects through the nvcc launcher, as their build systems call it, against nvcc itself:
// what is served, to the call, and that the objects are the same. And calls that come together, or
// are killed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/client/dropin/nvcc_user.h"

extern char** environ;

namespace ptxfarm::dropin {
namespace {

using testing::HasSubstr;

constexpr u64 kUnits = 24, kLinkedUnits = 4;

class NvccProjectTest : public NvccUser {
 protected:
  // Templates, a header for all, one for three of the units, a macro.
  void WriteUnits() {
    Write("src/all.h",
          "#pragma once\ntemplate <int N, class T>\n__device__ T Sum(const T* p) {\n"
          "  T sum{};\n  for (int i = 0; i < N; ++i) sum += p[i];\n  return sum;\n}\n");
    Write("src/three.h", "#pragma once\n#define SCALE 3\n");
    for (u64 i = 0; i < kUnits; ++i) Write(fmt::format("src/u{}.cu", i), Unit(i, /*edit=*/0));
    Write("src/main.cpp", "void run0(float*);\nint main() { run0(nullptr); }\n");
  }
  static std::string Unit(u64 i, int edit) {
    return fmt::format(
        "#include \"all.h\"\n{}#ifndef SCALE\n#define SCALE 1\n#endif\n#ifndef BIAS\n#define BIAS "
        "0\n"
        "#endif\n__global__ void k{}(float* p) {{\n  p[threadIdx.x] = Sum<{}>(p) * SCALE + BIAS + "
        "{};"
        "\n}}\nvoid run{}(float* p) {{ k{}<<<1, 32>>>(p); }}\n",
        i % 8 == 0 ? "#include \"three.h\"\n" : "", i, i + 1, edit, i, i);
  }
  static std::string UnitNames(u64 begin, u64 end) {
    std::string names;
    for (u64 i = begin; i < end; ++i) names += fmt::format(" src/u{}.cu", i);
    return names;
  }

  // Runs `command`; of nvcc's calls so many are served, so many compiled.
  void Expect(const std::string& command, Counts expected) {
    const Counts before = Counted();
    const test::Ran ran = Shell(command);
    ASSERT_EQ(ran.exit_code, 0) << command << ": " << ran.output;
    const Counts after = Counted();
    EXPECT_EQ((Counts{after.hits - before.hits, after.misses - before.misses}), expected)
        << command;
  }

  // The objects of two build folders, by name.
  void ExpectEqualObjects(const std::string& folder, const std::string& direct) {
    u64 compared = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_ / folder)) {
      const std::string name = std::filesystem::relative(entry.path(), dir_ / folder);
      if (!name.ends_with(".cu.o")) continue;
      ++compared;
      EXPECT_TRUE(WithoutProcessNumber(Contents(folder + "/" + name)) ==
                  WithoutProcessNumber(Contents(direct + "/" + name)))
          << name;
    }
    EXPECT_EQ(compared, kUnits);
  }
};

TEST_F(NvccProjectTest, OfCMake) {
  WriteUnits();
  // Most units for one architecture, some relocatable and for two.
  Write("CMakeLists.txt",
        fmt::format("cmake_minimum_required(VERSION 3.25)\nproject(x LANGUAGES CXX CUDA)\n"
                    "add_library(whole STATIC{})\n"
                    "set_target_properties(whole PROPERTIES CUDA_ARCHITECTURES 80)\n"
                    "add_executable(linked src/main.cpp{})\n"
                    "set_target_properties(linked PROPERTIES CUDA_ARCHITECTURES \"80;90\" "
                    "CUDA_SEPARABLE_COMPILATION ON)\n"
                    "target_compile_definitions(linked PRIVATE ${{LINKED_MACROS}})\n"
                    "target_compile_options(linked PRIVATE ${{LINKED_FLAGS}})\n",
                    UnitNames(kLinkedUnits, kUnits), UnitNames(0, kLinkedUnits)));
  const std::string configure =
      fmt::format("cmake -G Ninja -DCMAKE_CUDA_COMPILER={} -S . ", test::ToolkitTool("nvcc"));
  const test::Ran configured =
      Shell(configure + "-B direct && cmake --build direct && " + configure +
            "-B farm -DCMAKE_CUDA_COMPILER_LAUNCHER=" + Launcher());
  ASSERT_EQ(configured.exit_code, 0) << configured.output;

  const std::string build = "cmake --build farm";
  Expect(build, {0, kUnits});
  ExpectEqualObjects("farm", "direct");
  Expect("cmake --build farm --target clean && " + build, {kUnits, 0});
  ExpectEqualObjects("farm", "direct");

  Expect("touch src/u9.cu && " + build, {1, 0});
  Write("src/u9.cu", Unit(9, /*edit=*/1));
  Expect(build, {0, 1});
  Write("src/u9.cu", Unit(9, /*edit=*/0));
  Expect(build, {1, 0});
  ExpectEqualObjects("farm", "direct");

  Write("src/three.h", "#pragma once\n#define SCALE 4\n");
  Expect(build, {0, 3});
  Expect("cmake -B farm -DLINKED_MACROS=BIAS=1 && " + build, {0, kLinkedUnits});
  Expect("cmake -B farm -DLINKED_FLAGS=-lineinfo && " + build, {0, kLinkedUnits});
  // All of it back: nothing is compiled.
  Write("src/three.h", "#pragma once\n#define SCALE 3\n");
  Expect("cmake -B farm -DLINKED_MACROS= -DLINKED_FLAGS= && " + build, {3 + kLinkedUnits - 1, 0});
  ExpectEqualObjects("farm", "direct");
}

TEST_F(NvccProjectTest, OfMake) {
  WriteUnits();
  std::filesystem::create_directories(dir_ / "farm");
  Write("Makefile", fmt::format("OBJECTS =$(patsubst src/%,farm/%.o,{})\n"
                                "all: $(OBJECTS)\n"
                                "farm/%.o: src/%\n"
                                "\t$(NVCC) -arch=sm_80 -O2 $(FLAGS) -MMD -MF $@.d -c $< -o $@\n"
                                "-include $(OBJECTS:=.d)\n",
                                UnitNames(0, 6)));
  const std::string make =
      fmt::format("make -j2 NVCC='{} {}' ", Launcher(), test::ToolkitTool("nvcc"));
  Expect(make, {0, 6});
  Expect("rm farm/*.o && " + make, {6, 0});
  Expect("touch src/u3.cu && " + make, {1, 0});
  Write("src/three.h", "#pragma once\n#define SCALE 5\n");
  Expect(make, {0, 1});  // What was served left its dependency file: make knows whom this concerns.
  Expect("rm farm/*.o && " + make + "FLAGS=-DBIAS=2", {0, 6});
  Expect("rm farm/*.o && " + make, {6, 0});
}

// The lines that PyTorch's extension builder gives ninja.
TEST_F(NvccProjectTest, OfATorchExtension) {
  WriteUnits();
  Write("build.ninja",
        fmt::format(
            "ninja_required_version = 1.3\nnvcc = {} {}\n"
            "cuda_cflags = -Isrc -D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_HALF_CONVERSIONS__ "
            "--expt-relaxed-constexpr -gencode=arch=compute_80,code=sm_80 "
            "-gencode=arch=compute_90,code=compute_90 -gencode=arch=compute_90,code=sm_90 "
            "--compiler-options '-fPIC' -std=c++17 -DTORCH_EXTENSION_NAME=x\n"
            "rule cuda_compile\n  depfile = $out.d\n  deps = gcc\n"
            "  command = $nvcc --generate-dependencies-with-compile --dependency-output $out.d "
            "$cuda_cflags -c $in -o $out $more\n"
            "build u0.cuda.o: cuda_compile src/u0.cu\nbuild u1.cuda.o: cuda_compile src/u1.cu\n"
            "build u2.cuda.o: cuda_compile src/u2.cu\n",
            Launcher(), test::ToolkitTool("nvcc")));
  Expect("ninja", {0, 3});
  const std::string object = Contents("u0.cuda.o");
  EXPECT_GT(object.size(), 1000u);
  Expect("ninja -t clean && ninja", {3, 0});
  EXPECT_TRUE(Contents("u0.cuda.o") == object);
  Write("src/three.h", "#pragma once\n#define SCALE 7\n");
  Expect("ninja", {0, 1});
  EXPECT_FALSE(Contents("u0.cuda.o") == object);
}

// ---- Calls that come together, and calls that are killed

class NvccCrowdTest : public NvccUser {
 protected:
  static constexpr int kInputs = 5;
  void SetUp() override {
    NvccUser::SetUp();
    for (int i = 0; i < kInputs; ++i)
      Write(fmt::format("k{}.cu", i),
            fmt::format("__global__ void k(int* p) {{ *p = {}; }}\n", 1000 + i));
  }
  static std::string Call(int input, const std::string& output) {
    return fmt::format("{} {} -ptx -arch=compute_80 k{}.cu -o {}", Launcher(),
                       test::ToolkitTool("nvcc"), input, output);
  }
  // A process of its own group.
  pid_t Start(const std::string& call) const {
    const std::string line = Setting() + "exec " + call;
    const char* const argv[] = {"sh", "-c", line.c_str(), nullptr};
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t pid = 0;
    EXPECT_EQ(
        ::posix_spawn(&pid, "/bin/sh", nullptr, &attributes, const_cast<char**>(argv), environ), 0);
    ::posix_spawnattr_destroy(&attributes);
    return pid;
  }
  static bool HasEnded(pid_t pid) {
    siginfo_t ended{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           ended.si_pid == pid;
  }
  static int WaitFor(pid_t pid) {
    int status = 0;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  void ExpectWhole(const std::string& output, int input) const {
    const std::string text = Contents(output);
    EXPECT_THAT(text, HasSubstr(std::to_string(1000 + input))) << output;
    EXPECT_TRUE(text.ends_with("}\n\n") || text.ends_with("}\n")) << output;
  }
};

TEST_F(NvccCrowdTest, CompilesEachInputOnce) {
  constexpr int kProcesses = 40;
  std::vector<pid_t> pids;
  for (int i = 0; i < kProcesses; ++i)
    pids.push_back(Start(Call(i % kInputs, fmt::format("o{}.ptx", i))));
  for (const pid_t pid : pids) EXPECT_EQ(WaitFor(pid), 0);
  for (int i = 0; i < kProcesses; ++i) ExpectWhole(fmt::format("o{}.ptx", i), i % kInputs);
  EXPECT_EQ(Counted(), (Counts{kProcesses - kInputs, kInputs}));
}

// Whatever the moment: the output is whole or not there, and the next call makes it.
TEST_F(NvccCrowdTest, IsKilledAtAnyMoment) {
  std::mt19937 random(1);
  for (int round = 0; round < 6; ++round) {
    std::vector<pid_t> pids;
    for (int i = 0; i < kInputs; ++i) pids.push_back(Start(Call(i, fmt::format("o{}.ptx", i))));
    // Kills as soon as the first of them has come so far as chance says.
    const std::size_t litter = random() % 3;
    while (FilesLike("o") < litter && !HasEnded(pids[0])) ::sched_yield();
    for (const pid_t pid : pids) ::kill(-pid, SIGKILL);
    for (const pid_t pid : pids) WaitFor(pid);
    for (int i = 0; i < kInputs; ++i) {
      const std::string output = fmt::format("o{}.ptx", i);
      if (!std::filesystem::exists(dir_ / output)) continue;
      ExpectWhole(output, i);
      std::filesystem::remove(dir_ / output);
    }
  }
  for (int i = 0; i < kInputs; ++i) {
    EXPECT_EQ(Shell(Call(i, fmt::format("o{}.ptx", i))).exit_code, 0);
    ExpectWhole(fmt::format("o{}.ptx", i), i);
  }
}

// With a farm, what a call has for its targets goes there at once. The steps of a target wait at a
// pipe here; that of the second target has a reader while nobody has written to the first.
TEST_F(NvccCrowdTest, WithAFarmAllTargetsOfACallGoSideBySide) {
  Write("two.cu",
        "#if __CUDA_ARCH__ == 800\n#include \"80.h\"\n#elif __CUDA_ARCH__ == 900\n"
        "#include \"90.h\"\n#endif\n__global__ void k() {}\n");
  for (const char* const pipe : {"80.h", "90.h"})
    ASSERT_EQ(::mkfifo((dir_ / pipe).c_str(), 0600), 0);
  const std::string words =
      test::ToolkitTool("nvcc") +
      " -c two.cu -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -o ";
  // Nobody listens there: the toolkit of this machine compiles.
  const pid_t pid = Start("env PTXFARM_SERVER=localhost:1 " + Launcher() + " " + words + "two.o");
  for (const char* const pipe : {"90.h", "80.h"}) {
    const int end = ::open((dir_ / pipe).c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_GE(end, 0);
    ::close(end);
  }
  EXPECT_EQ(WaitFor(pid), 0);
  for (const char* const pipe : {"80.h", "90.h"}) {
    std::filesystem::remove(dir_ / pipe);
    Write(pipe, "");
  }
  ASSERT_EQ(Shell(words + "direct.o").exit_code, 0);
  EXPECT_TRUE(WithoutProcessNumber(Contents("two.o")) ==
              WithoutProcessNumber(Contents("direct.o")));
}

TEST_F(NvccCrowdTest, IsBrokenOffAndLeavesNothing) {
  // A program of steps that never ends by itself: the host compiler waits at a pipe.
  Write("slow.cu", "#include \"pipe.h\"\n__global__ void k() {}\n");
  ASSERT_EQ(::mkfifo((dir_ / "pipe.h").c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t pid =
        Start(fmt::format("{} {} -c slow.cu -o slow.o", Launcher(), test::ToolkitTool("nvcc")));
    // Opening the pipe's other end waits until the compiler has opened it.
    const int end = ::open((dir_ / "pipe.h").c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_GE(end, 0);
    ::kill(pid, signal);
    ::close(end);
    EXPECT_EQ(WaitFor(pid), 128 + signal);
    EXPECT_EQ(FilesLike("slow.o"), 0u);
  }
  EXPECT_EQ(Counted(), Counts{});
}

}  // namespace
}  // namespace ptxfarm::dropin
