// The command lines of those who call ptxas, word by word, and what each of them looks at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/cli_farm.h"
#include "tests/client/dropin/drop_in.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using dropin::Counter;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kElf =
    "\x7f"
    "ELF";

class CallersTest : public testing::Test {
 protected:
  void SetUp() override {
    PTXFARM_NEED_TOOLKIT();
    user_.Write("f.ptx", SmallModule());
    user_.Write("in", SmallModule());
    user_.Write("in.s", SmallModule());
  }

  // Twice: made and served.
  void ExpectObject(const std::string& line, const std::string& object) {
    const DropInRan direct = user_.RunDirect(line);
    for (const char* const when : {"made", "served"}) {
      user_.Run("rm -f " + object);
      EXPECT_EQ(user_.Run(line), direct) << when << ": " << line;
      EXPECT_THAT(user_.Read(object), StartsWith(kElf)) << when << ": " << line;
      EXPECT_TRUE(user_.Read(object) == user_.ReadDirect(object)) << when << ": " << line;
    }
  }

  DropIn user_;
};

TEST_F(CallersTest, Nvcc) {
  ExpectObject("ptxas -arch=sm_75 -m64 f.ptx -o f.cubin", "f.cubin");
  ExpectObject("ptxas -arch=sm_75 -m64 -g f.ptx -o f.cubin", "f.cubin");
  ExpectObject("ptxas -arch=sm_75 -m64 --compile-only f.ptx -o f.cubin", "f.cubin");
  ExpectObject("ptxas -arch=sm_75 -m64 -v f.ptx -o f.cubin", "f.cubin");
  // A syntax check for a member of PTX alone: no output is named, and none is made.
  const DropInRan checked = user_.Run("ptxas -arch=compute_90 -m64 f.ptx; echo $?; ls elf.o");
  EXPECT_EQ(checked.out, "0\n");
}

TEST_F(CallersTest, NvccItself) {
  user_.Write("k.cu", "__global__ void k(float* p) { *p = *p * 2.0f; }\n");
  // nvcc puts its own folder first into the PATH, so it is told by the file that names the tools.
  const std::string nvcc = ToolkitTool("nvcc");
  const std::string plain = " -arch=sm_80 -cubin k.cu -o k.cubin";
  ASSERT_EQ(user_.RunDirect(nvcc + plain).exit_code, 0);
  const std::string shadow =
      "mkdir -p cuda/bin && for f in " + *ToolkitRoot() +
      "/*; do n=$(basename $f); [ $n = bin ] || ln -sfn $f cuda/$n; done; for f in " +
      *ToolkitRoot() + "/bin/*; do ln -sf $f cuda/bin/; done; rm cuda/bin/nvcc; cp " + nvcc +
      " cuda/bin/; ln -sf " + user_.bin() + "/ptxas cuda/bin/ptxas; ";
  const DropInRan ran = user_.Run(shadow + "cuda/bin/nvcc" + plain);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(user_.Count(Counter::kTool), 1u) << "nvcc called another ptxas";
  EXPECT_TRUE(user_.Read("k.cubin") == user_.ReadDirect("k.cubin"));
}

TEST_F(CallersTest, Triton) {
  // It looks for the release, and takes the whole text into its own key.
  for (int i = 0; i < 2; ++i) {
    const DropInRan version = user_.Run("ptxas --version");
    EXPECT_THAT(version.out, testing::ContainsRegex("release [0-9]+[.][0-9]+"));
    EXPECT_EQ(version, user_.RunDirect("ptxas --version"));
  }
  ExpectObject("ptxas -lineinfo -v --gpu-name=sm_90a f.ptx -o f.ptx.o", "f.ptx.o");
  ExpectObject("ptxas -lineinfo -suppress-debug-info -v --gpu-name=sm_90a f.ptx -o f.ptx.o",
               "f.ptx.o");
  ExpectObject("ptxas -g --fmad=false -v --opt-level 0 --gpu-name=sm_90a f.ptx -o f.ptx.o",
               "f.ptx.o");
  user_.Write("bad.ptx", SmallModule() + "bad");
  EXPECT_EQ(user_.Run("ptxas -lineinfo -v --gpu-name=sm_90a bad.ptx -o bad.o; echo $?").out,
            "255\n");
}

TEST_F(CallersTest, Xla) {
  EXPECT_THAT(user_.Run("ptxas --version").out,
              testing::ContainsRegex("V[0-9]+[.][0-9]+[.][0-9]+"));
  ExpectObject("ptxas in -o out -arch=sm_90a --warn-on-spills", "out");
  ExpectObject("ptxas in -o out -arch=sm_90a --warn-on-spills -v -O0", "out");
  const DropInRan unknown = user_.Run("ptxas in -o no -arch=sm_70 --warn-on-spills");
  EXPECT_EQ(unknown.exit_code, 255);
  EXPECT_THAT(unknown.err, StartsWith("ptxas fatal   : Value 'sm_70' is not defined for option "
                                      "'gpu-name'"));
  EXPECT_EQ(user_.Read("no"), "(none)");
}

TEST_F(CallersTest, ClangAndItsLinker) {
  ExpectObject("ptxas -m64 -O0 --gpu-name sm_80 --output-file o in.s", "o");
  ExpectObject(
      "ptxas -m64 -g --dont-merge-basicblocks --return-at-end -v --gpu-name sm_80 "
      "--output-file o in.s -c",
      "o");
  ExpectObject("ptxas -m64 -O3 -lineinfo --gpu-name sm_80 --output-file o in.s -c", "o");
  user_.Write("response", "-m64 -O2 --gpu-name sm_80\n--output-file o in.s\n");
  ExpectObject("ptxas --options-file response", "o");
  ExpectObject("ptxas -m64 -c in.s -v -O0 -g -arch sm_80 -o t.cubin", "t.cubin");
  ExpectObject("ptxas -m64 -c in.s -O2 -arch sm_80 -o t.cubin", "t.cubin");
}

TEST_F(CallersTest, NvptxAs) {
  EXPECT_EQ(user_.Run("ptxas -c -o /dev/null in.s --gpu-name sm_80 -O0").exit_code, 0);
  EXPECT_EQ(user_.Run("ptxas -c -o /dev/null in.s --gpu-name sm_80 -O0").exit_code, 0);
  EXPECT_EQ(user_.Count(Counter::kHit), 1u);
}

// No toolkit is on the machine: the farm's compiler answers, and the answers look the same.
TEST_F(CallersTest, WithoutAToolkit) {
  user_.SetEnvironment("PTXFARM_DROP_IN_FARM", "true");
  const std::string line = "ptxas in -o out -arch=sm_90a --warn-on-spills -v";
  user_.RunDirect(line);
  // The farm of this user finds the toolkit; the drop-in must not.
  user_.SetEnvironment("PTXFARM_PTXAS", "none");
  const DropInRan version = user_.Run("ptxas --version");
  EXPECT_THAT(version.out,
              testing::ContainsRegex("release [0-9]+[.][0-9]+, V[0-9]+[.][0-9]+[.][0-9]+"))
      << version.err;
  EXPECT_EQ(user_.Run("ptxas --version"), version);
  for (int i = 0; i < 2; ++i) {
    user_.Run("rm -f out");
    const DropInRan ran = user_.Run(line);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(user_.Read("out") == user_.ReadDirect("out"));
    EXPECT_THAT(ran.err, HasSubstr("ptxas info    : Used "));
  }
  EXPECT_EQ(user_.Count(Counter::kFarm), 1u);
  EXPECT_THAT(user_.Run("ptxas in -arch=sm_70").err,
              StartsWith("ptxas fatal   : Value 'sm_70' is not defined for option 'gpu-name'"));
  EXPECT_EQ(user_.Run("ptxas -arch=compute_90 in").exit_code, 0);
  user_.Write("bad", SmallModule() + "bad");
  const DropInRan bad = user_.Run("ptxas bad -o no");
  EXPECT_EQ(bad.exit_code, 255);
  EXPECT_THAT(bad.err, StartsWith("ptxas bad, line "));
  EXPECT_THAT(bad.err, HasSubstr("ptxas fatal   : Ptx assembly aborted due to errors\n"));
  EXPECT_EQ(user_.Read("no"), "(none)");
}

// The farm's objects and words are those of the direct call.
TEST_F(CallersTest, ThroughTheFarm) {
  user_.SetEnvironment("PTXFARM_DROP_IN_FARM", "true");
  u64 farm = 0;
  for (const char* const options :
       {"-arch=sm_80", "", "-arch=sm_90a -lineinfo -O1", "-c -arch=sm_80 -w",
        "-dlcm=cg -maxrregcount 24 -warn-spills", "-arch=sm_120 -fmad false -ewp",
        "-O0 -arch=sm_100f", "-Ofc max --machine 64"}) {
    ExpectObject(std::string("ptxas f.ptx -o f.cubin ") + options, "f.cubin");
    EXPECT_EQ(user_.Count(Counter::kFarm), ++farm) << options;
  }
  EXPECT_EQ(user_.Count(Counter::kTool), 0u);
}

}  // namespace
}  // namespace ptxfarm::test
