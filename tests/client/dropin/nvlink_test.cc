// The drop-in for nvlink, call by call against the toolkit's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "base/file.h"
#include "client/dropin/nvlink/nvlink_call.h"
#include "client/dropin/tier/local_tier.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::dropin {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::HasSubstr;

// ---- The line

NvlinkCall Read(const std::string& line) {
  std::istringstream stream(line);
  const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  return ReadNvlinkCall(pointers);
}

TEST(NvlinkCallTest, ReadsTheLineOfNvcc) {
  const NvlinkCall call = Read(
      "-m64 --arch=sm_80 --register-link-binaries=/tmp/x.reg.c -L/a/lib/stubs -L /a/lib "
      "-cpu-arch=X86_64 a.o b.o -lcudadevrt -o /tmp/x.cubin --host-ccbin gcc");
  EXPECT_EQ(call.why_not, "");
  EXPECT_EQ(call.target, "sm_80");
  EXPECT_THAT(call.inputs, ElementsAre("a.o", "b.o"));
  EXPECT_THAT(call.libraries, ElementsAre("cudadevrt"));
  EXPECT_THAT(call.library_folders, ElementsAre("/a/lib/stubs", "/a/lib"));
  EXPECT_THAT(call.options, ElementsAre("--cpu-arch=X86_64", "--machine=64"));
  EXPECT_EQ(call.output.name, "/tmp/x.cubin");
  EXPECT_THAT(WordsWithOutputs(call, "O", "R"),
              ElementsAre("-m64", "--arch=sm_80", "--register-link-binaries=R", "-L/a/lib/stubs",
                          "-L", "/a/lib", "-cpu-arch=X86_64", "a.o", "b.o", "-lcudadevrt", "-o",
                          "O", "--host-ccbin", "gcc"));
}

TEST(NvlinkCallTest, SpellingsOfOneCallAreOneCall) {
  const char* const lines[] = {
      "-arch=sm_80 -w -lx,y -L a -kernels-used k,l a.o -o c",
      "--arch sm_80 a.o --disable-warnings -l x -ly -La --kernels-used=k -kernels-used l -o=c",
      "-o c -arch=sm_80 -arch=sm_80 -l=x,y -w -w -L=a a.o -kernels-used=k,l",
  };
  const NvlinkCall first = Read(lines[0]);
  for (const char* const line : lines) {
    const NvlinkCall call = Read(line);
    EXPECT_EQ(call.why_not, "") << line;
    EXPECT_EQ(call.options, first.options) << line;
    EXPECT_EQ(call.libraries, first.libraries) << line;
    EXPECT_EQ(call.library_folders, first.library_folders) << line;
    EXPECT_EQ(call.target, first.target) << line;
  }
}

TEST(NvlinkCallTest, LeavesTheRestToTheTool) {
  for (const char* const line : {
           "",
           "--version",
           "-h",
           "-arch=sm_80 -o c",
           "-arch=sm_80 a.o",
           "a.o -o c",
           "-arch=compute_80 a.o -o c",
           "-arch=sm_80 a.o -o c --nonesuch",
           "-arch=sm_80 a.o -oc",
           "-arch=sm_80 a.o -o c -time t.csv",
           "-arch=sm_80 a.o -o c -ghls=lcs-abs",
           "-arch=sm_80 -arch=sm_90 a.o -o c",
           "-arch=sm_80 a.o -o c -o d",
           "-arch=sm_80 a.o -o",
           "-arch=sm_80 a.o -o c -w=true",
           "-arch=sm_80 a.o -o c -lx,",
           "-arch=sm_80 - -o c",
           "-arch=sm_80 a.o -o c -Xptxas --options-file=x",
           "-arch=sm_80 a.o -o c -optf nowhere",
           "-arch=sm_80 a.o -o c -emit-ptx",
           "-arch=sm_80 a.o -o c --m64",
           "-arch=sm_80 a.o -o c -L",
       })
    EXPECT_NE(Read(line).why_not, "") << line;
}

// ---- The program

constexpr const char* kA =
    "extern __device__ int f(int);\n"
    "__device__ int table[64];\n"
    "__global__ void ka(int* p) { p[threadIdx.x] = f(p[threadIdx.x]) + table[threadIdx.x]; }\n"
    "int main() { ka<<<1, 32>>>(nullptr); return 0; }\n";
constexpr const char* kB =
    "extern __device__ int table[64];\n"
    "__device__ int f(int x) { return x * 3 + table[x & 63]; }\n"
    "__global__ void kb(int* p) { p[0] = f(p[1]); }\n";

class NvlinkTest : public testing::Test {
 protected:
  // Compiling takes seconds: once for all tests, none of which writes to these.
  static void SetUpTestSuite() {
    if (!test::ToolkitRoot()) return;
    objects_ = std::make_unique<test::TempDir>();
    ASSERT_TRUE(WriteFileAtomically(*objects_ / "a.cu", kA));
    ASSERT_TRUE(WriteFileAtomically(*objects_ / "b.cu", kB));
    const test::Ran ran = test::RunShell(fmt::format(
        "cd {0} && for s in a b; do {1} -dc -gencode arch=compute_75,code=sm_75 -gencode "
        "arch=compute_90,code=[sm_90,lto_90] $s.cu -o $s.o && {1} -dc -cubin -arch=sm_75 $s.cu -o "
        "$s.cubin && {1} -dc -fatbin -arch=sm_75 $s.cu -o $s.fatbin && {1} -dc -G -arch=sm_75 "
        "$s.cu "
        "-o $s.debug.o || exit 1; done; mkdir lib && cp b.o lib/ && cd lib && ar rcs libb.a b.o",
        objects_->path(), test::ToolkitTool("nvcc")));
    ASSERT_EQ(ran.exit_code, 0) << ran.output;
    const std::string root = *test::ToolkitRoot();
    for (const std::string folder : {"/nvvm/lib64", "/lib64", "/lib"})
      if (fs::exists(root + folder + "/libnvvm.so")) {
        fs::create_directories(*objects_ / "nvvm");
        fs::create_directory_symlink(root + folder, *objects_ / "nvvm/lib64");
        break;
      }
  }
  static void TearDownTestSuite() { objects_.reset(); }

  void SetUp() override {
    PTXFARM_NEED_TOOLKIT();
    for (const std::string& folder : {ours_, theirs_})
      fs::copy(objects_->path(), folder,
               fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }

  struct Linked {
    test::Ran ran;
    std::string object, registered;
    bool operator==(const Linked& other) const {
      return ran.exit_code == other.ran.exit_code && ran.output == other.ran.output &&
             object == other.object && registered == other.registered;
    }
  };
  static std::string Contents(const std::string& path) {
    return ReadFile(path, 1 << 26).value_or("(none)");
  }
  Linked LinkIn(const std::string& folder, const std::string& program, const std::string& words,
                const std::string& environment) const {
    for (const char* const name : {"x.cubin", "x.reg"}) fs::remove(folder + "/" + name);
    // Both called by the one name, in folders of one name: messages and register files hold them.
    Linked linked{
        test::RunShell(fmt::format(
            "rm -rf {0} && mv {1} {0} && cd {0} && env PTXFARM_DROP_IN_FARM=false "
            "PTXFARM_LOCAL_RESULTS={2} PTXFARM_NVLINK={3} {4} {5} {6}; e=$?; cd .. && mv {0} "
            "{1}; exit $e",
            dir_ / "here", folder, tier_.folder(), test::ToolkitTool("nvlink"), environment,
            program, words)),
        Contents(folder + "/x.cubin"), Contents(folder + "/x.reg")};
    return linked;
  }
  Linked Link(const std::string& words, const std::string& environment = "") const {
    return LinkIn(ours_, test::ProgramPath("ptxfarm-nvlink"), words, environment);
  }
  Linked LinkDirect(const std::string& words, const std::string& environment = "") const {
    return LinkIn(theirs_, test::ToolkitTool("nvlink"), words, environment);
  }
  void Run(const std::string& folder, const std::string& command) const {
    const test::Ran ran = test::RunShell(fmt::format("cd {} && {}", folder, command));
    ASSERT_EQ(ran.exit_code, 0) << ran.output;
  }
  void RunInBoth(const std::string& command) const {
    for (const std::string& folder : {ours_, theirs_}) Run(folder, command);
  }

  u64 Count(Counter counter) const {
    const std::optional<Counters> counters = tier_.OpenCounters();
    return counters ? counters->Get(counter) : 0;
  }
  std::vector<u64> Counts() const {
    return {Count(Counter::kTool), Count(Counter::kHit), Count(Counter::kPassed)};
  }

  static std::unique_ptr<test::TempDir> objects_;
  const test::TempDir dir_;
  const std::string ours_ = dir_ / "ours", theirs_ = dir_ / "theirs";
  const LocalTier tier_{dir_ / "tier"};
};
std::unique_ptr<test::TempDir> NvlinkTest::objects_;

constexpr const char* kLink = "-arch=sm_75 a.o b.o -o x.cubin";

// Each twice: linked, then served. Same bytes, words and exit code both times.
TEST_F(NvlinkTest, EqualsTheDirectCall) {
  const std::string root = *test::ToolkitRoot();
  std::vector<std::string> lines = {
      kLink,
      "-m64 --arch=sm_75 --register-link-binaries=x.reg -cpu-arch=X86_64 b.o a.o -o x.cubin",
      "-arch sm_90 a.o b.o --output-file x.cubin",
      "-arch=sm_75 -v a.o b.o -o x.cubin",
      "-arch=sm_75 -r a.o b.o -o x.cubin",
      "-arch=sm_75 a.o -Lnowhere -L lib -lb -lnone -o x.cubin",
      "-arch=sm_75 a.o lib/libb.a -o=x.cubin",
      "-arch=sm_75 a.cubin b.fatbin -o x.cubin --register-link-binaries=x.reg",
      "-arch=sm_75 -g a.debug.o b.debug.o -o x.cubin --register-link-binaries x.reg",
      "-arch=sm_80 a.o b.o -o x.cubin -suppress-stack-size-warning",  // Warns: no code for sm_80.
      "-arch=sm_75 --kernels-used=ka --maxrregcount 32 -w a.o b.o -o x.cubin",
      "-optf words",
      fmt::format("-arch=sm_75 a.o b.o -L{}/lib64 -L{}/lib -lcudadevrt -o x.cubin --host-ccbin gcc",
                  root, root),
  };
  RunInBoth("printf '%s\\n' '-arch=sm_75 a.o' b.o '-o x.cubin' > words");
  if (fs::exists(ours_ + "/nvvm"))
    for (const char* const more : {"", " -r", " -Xptxas -O1"})
      lines.push_back(
          fmt::format("-arch=sm_90 -dlto -nvvmpath=nvvm a.o b.o -L{}/lib64 -L{}/lib "
                      "-lcudadevrt -o x.cubin --register-link-binaries=x.reg{}",
                      root, root, more));
  for (const std::string& line : lines) {
    const Linked direct = LinkDirect(line);
    EXPECT_EQ(direct.ran.exit_code, 0) << line << direct.ran.output;
    for (const char* const round : {"cold", "warm"}) {
      const Linked linked = Link(line);
      EXPECT_EQ(linked.ran.output, direct.ran.output) << line << ", " << round;
      EXPECT_TRUE(linked == direct) << line << ", " << round;
    }
  }
  // The options file's words are the first line's.
  const u64 links = lines.size() - 1;
  EXPECT_THAT(Counts(), ElementsAre(links, lines.size() + 1, 0));
}

// Nothing of them is kept.
TEST_F(NvlinkTest, FailsAsTheDirectCallDoes) {
  RunInBoth(
      "head -c 5000 a.o > torn.o && head -c 6000 lib/libb.a > torn.a && echo text > text.o && "
      "mkdir folder && : > empty.o");
  const char* const lines[] = {
      "-arch=sm_75 a.o -o x.cubin",  // A symbol that nobody defines.
      "-arch=sm_75 a.o -report-arch -o x.cubin",
      "-arch=sm_75 a.o b.o b.o -o x.cubin",  // Defined twice.
      "-arch=sm_75 torn.o b.o -o x.cubin",
      "-arch=sm_75 a.o torn.a -o x.cubin",
      "-arch=sm_75 text.o b.o -o x.cubin",
      "-arch=sm_75 empty.o b.o -o x.cubin",
      "-arch=sm_90 a.cubin b.cubin -o x.cubin",
      "-arch=sm_75 a.o b.o -o nowhere/x.cubin",
      "-arch=sm_75 a.o b.o -o folder",
      "-arch=sm_75 a.o b.o -o x.cubin --register-link-binaries=nowhere/x.reg",
  };
  for (const char* const line : lines) {
    const Linked direct = LinkDirect(line);
    EXPECT_NE(direct.ran.exit_code, 0) << line;
    for (int round = 0; round < 2; ++round) {
      const Linked linked = Link(line);
      EXPECT_EQ(linked.ran.output, direct.ran.output) << line;
      EXPECT_TRUE(linked == direct) << line;
    }
  }
  // But for the last three, whose links went well: once, since they are one link but for the third.
  EXPECT_EQ(Count(Counter::kHit), 4u);
}

TEST_F(NvlinkTest, PassesOnWhatItDoesNotKnow) {
  for (const char* const line :
       {"--version", "--help", "", "-arch=sm_75 a.o b.o -o x.cubin -nonesuch",
        "-arch=sm_75 nowhere.o b.o -o x.cubin", "-arch=sm_75 a.o b.o",
        "-arch=sm_75 -arch=sm_90 a.o b.o -o x.cubin"})
    EXPECT_TRUE(Link(line) == LinkDirect(line)) << line;
  EXPECT_THAT(Counts(), ElementsAre(0, 0, 7));
}

TEST_F(NvlinkTest, EveryInputThatChangesIsSeen) {
  const std::string line = "-arch=sm_75 a.o -L first -L lib -lb -o x.cubin";
  const auto expect = [&](const char* what, u64 links, u64 hits,
                          const std::string& environment = "") {
    EXPECT_TRUE(Link(line, environment) == LinkDirect(line, environment)) << what;
    EXPECT_THAT(Counts(), ElementsAre(links, hits, 0)) << what;
  };
  expect("cold", 1, 0);
  expect("warm", 1, 1);
  RunInBoth("touch a.o && cp lib/libb.a keep.a");
  expect("touched", 1, 2);
  RunInBoth("sed 's/x \\* 3/x * 5/' b.cu > c.cu && cp c.cu lib/c.cu");
  for (const std::string& folder : {ours_, theirs_})
    Run(folder + "/lib", test::ToolkitTool("nvcc") +
                             " -dc -arch=sm_75 c.cu -o b.o && rm libb.a && ar rcs libb.a b.o");
  // Compiled apart they have other module ids in the register names; the device's code is the same.
  Link(line);
  EXPECT_THAT(Counts(), ElementsAre(2, 2, 0)) << "another member";
  RunInBoth("cp keep.a lib/libb.a");
  expect("back again", 2, 3);
  RunInBoth("mkdir first && cp keep.a first/libb.a");
  expect("the same library, found earlier", 2, 4);
  RunInBoth("printf x >> first/libb.a");
  Link(line);
  EXPECT_EQ(Count(Counter::kHit), 4u) << "another library, found earlier";
  RunInBoth("rm -r first && touch lib/libb.so");
  Link(line);
  EXPECT_EQ(Count(Counter::kHit), 4u) << "a shared library, which nvlink takes for it";
}

TEST_F(NvlinkTest, LooksForLibrariesAsTheToolDoes) {
  RunInBoth("mkdir other && mv lib/libb.a other/");
  const std::string line = "-arch=sm_75 a.o -lb -L lib -o x.cubin";
  EXPECT_NE(Link(line, "LIBRARY_PATH=").ran.exit_code, 0);
  const Linked linked = Link(line, "LIBRARY_PATH=nowhere::other");
  EXPECT_EQ(linked.ran.exit_code, 0) << linked.ran.output;
  EXPECT_TRUE(linked == LinkDirect(line, "LIBRARY_PATH=nowhere::other"));
  EXPECT_NE(Link(line, "LIBRARY_PATH=nowhere").ran.exit_code, 0);
}

TEST_F(NvlinkTest, ADamagedResultIsMadeAgain) {
  const Linked direct = LinkDirect(kLink);
  EXPECT_TRUE(Link(kLink) == direct);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(tier_.folder()))
    if (entry.is_regular_file() && entry.path().parent_path().filename().string().size() == 2)
      std::ofstream(entry.path(), std::ios::app) << "x";
  EXPECT_TRUE(Link(kLink) == direct);
  EXPECT_TRUE(Link(kLink) == direct);
  EXPECT_THAT(Counts(), ElementsAre(2, 1, 0));
  EXPECT_EQ(Count(Counter::kDamaged), 1u);
}

TEST_F(NvlinkTest, OneOfManyLinks) {
  constexpr u64 kMany = 12;
  Run(ours_,
      fmt::format("for i in $(seq {}); do env PTXFARM_DROP_IN_FARM=false PTXFARM_NVLINK={} "
                  "PTXFARM_LOCAL_RESULTS={} {} -arch=sm_75 a.o b.o -o x$i.cubin & done; wait",
                  kMany, test::ToolkitTool("nvlink"), tier_.folder(),
                  test::ProgramPath("ptxfarm-nvlink")));
  const std::string direct = LinkDirect(kLink).object;
  for (u64 i = 1; i <= kMany; ++i)
    EXPECT_EQ(Contents(fmt::format("{}/x{}.cubin", ours_, i)), direct);
  EXPECT_EQ(Count(Counter::kTool), 1u);
  EXPECT_EQ(Count(Counter::kHit) + Count(Counter::kJoined), kMany - 1);
}

// nvcc's own link goes through it.
TEST_F(NvlinkTest, TheLaunchersLinksAreServed) {
  const auto link = [&](const std::string& output) {
    Run(ours_,
        fmt::format("env PTXFARM_DROP_IN_FARM=false PTXFARM_LOCAL_RESULTS={} {} {} -arch=sm_75 "
                    "a.o b.o -o {}",
                    tier_.folder(), test::ProgramPath("ptxfarm-nvcc"), test::ToolkitTool("nvcc"),
                    output));
  };
  link("one");
  EXPECT_THAT(Counts(), ElementsAre(1, 0, 0));
  link("two");
  EXPECT_THAT(Counts(), ElementsAre(1, 1, 0));
  EXPECT_EQ(Count(Counter::kNvccPassed), 2u);
}

}  // namespace
}  // namespace ptxfarm::dropin
