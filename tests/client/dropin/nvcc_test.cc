// The nvcc launcher with the toolkit's nvcc: what is compiled, what is served, and that the two are
// the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/client/dropin/nvcc_user.h"

namespace ptxfarm::dropin {
namespace {

using testing::HasSubstr;

class NvccTest : public NvccUser {
 protected:
  void SetUp() override {
    NvccUser::SetUp();
    Write("inc/value.h", "#pragma once\n#define VALUE 1\n");
    std::filesystem::create_directories(dir_ / "first");
    Write("k.cu",
          "#include \"value.h\"\n"
          "__global__ void k(int* p) { *p = VALUE + EXTRA; }\n"
          "#ifndef __CUDA_ARCH__\nint OnHostOnly() { return 7; }\n#endif\n");
  }

  u64 Hits() const { return Counted().hits; }
  // Runs and says whether it was served.
  bool IsServed(const std::string& words) const {
    const u64 before = Hits();
    const test::Ran ran = Launch(words);
    EXPECT_EQ(ran.exit_code, 0) << words << ": " << ran.output;
    return Hits() == before + 1;
  }
};

constexpr const char* kCall = "-Ifirst -Iinc -DEXTRA=10 -ptx -arch=compute_80 k.cu -o k.ptx";

TEST_F(NvccTest, ServesWhatIsUnchangedAndNothingElse) {
  EXPECT_FALSE(IsServed(kCall));
  const std::string first = Contents("k.ptx");
  EXPECT_THAT(first, HasSubstr("11"));
  std::filesystem::remove(dir_ / "k.ptx");
  EXPECT_TRUE(IsServed(kCall));
  EXPECT_EQ(Contents("k.ptx"), first);

  Write("inc/value.h", "#pragma once\n#define VALUE 1\n");  // Touched.
  EXPECT_TRUE(IsServed(kCall));
  EXPECT_FALSE(IsServed("-Ifirst -Iinc -DEXTRA=20 -ptx -arch=compute_80 k.cu -o k.ptx"));
  EXPECT_FALSE(IsServed("-Ifirst -Iinc -DEXTRA=10 -ptx -arch=compute_90 k.cu -o k.ptx"));
  Write("inc/value.h", "#pragma once\n#define VALUE 2\n");
  EXPECT_FALSE(IsServed(kCall));
  EXPECT_THAT(Contents("k.ptx"), HasSubstr("12"));
  Write("inc/value.h", "#pragma once\n#define VALUE 1\n");  // Back again: both are remembered.
  EXPECT_TRUE(IsServed(kCall));
  EXPECT_EQ(Contents("k.ptx"), first);
  Write("first/value.h", "#define VALUE 3\n");  // Comes before the other one.
  EXPECT_FALSE(IsServed(kCall));
  EXPECT_THAT(Contents("k.ptx"), HasSubstr("13"));
  const test::Ran changed =
      Shell(fmt::format("NVCC_APPEND_FLAGS=-DMORE {}/ptxfarm-nvcc {} {}",
                        std::getenv("PTXFARM_BIN"), test::ToolkitTool("nvcc"), kCall));
  EXPECT_EQ(changed.exit_code, 0) << changed.output;
  EXPECT_EQ(Hits(), 3u);
}

TEST_F(NvccTest, SeesEditsOfTheHostsPartAlone) {
  const std::string call = "-Iinc -DEXTRA=0 -c k.cu -o k.o -MD -MF k.d";
  EXPECT_FALSE(IsServed(call));
  const std::string object = Contents("k.o"), dependencies = Contents("k.d");
  EXPECT_THAT(dependencies, HasSubstr("inc/value.h"));
  std::filesystem::remove(dir_ / "k.o");
  std::filesystem::remove(dir_ / "k.d");
  EXPECT_TRUE(IsServed(call));
  EXPECT_TRUE(Contents("k.o") == object);
  EXPECT_EQ(Contents("k.d"), dependencies);
  std::string text = Contents("k.cu");
  text.replace(text.find("return 7"), 8, "return 8");
  Write("k.cu", text);
  EXPECT_FALSE(IsServed(call));
  EXPECT_FALSE(Contents("k.o") == object);
}

// The PTX of the launcher's first call, of its second, and of nvcc itself are the same bytes.
TEST_F(NvccTest, GivesTheBytesOfNvcc) {
  for (const char* const phase : {"-ptx", "-cubin"}) {
    const std::string words = fmt::format("-Iinc -DEXTRA=1 {} -arch=sm_90 k.cu -o k.out", phase);
    EXPECT_FALSE(IsServed(words));
    const std::string cold = Contents("k.out");
    EXPECT_TRUE(IsServed(words));
    EXPECT_TRUE(Contents("k.out") == cold);
    ASSERT_EQ(Shell(test::ToolkitTool("nvcc") + " " + words).exit_code, 0);
    EXPECT_TRUE(Contents("k.out") == cold) << phase;
  }
}

TEST_F(NvccTest, FailsAsNvccFails) {
  Write("bad.cu", "int x = ;\n");
  const test::Ran direct = Shell(test::ToolkitTool("nvcc") + " -c bad.cu -o bad.o");
  for (int i = 0; i < 2; ++i) {
    const test::Ran ran = Launch("-c bad.cu -o bad.o");
    EXPECT_EQ(ran.exit_code, direct.exit_code);
    EXPECT_EQ(ran.output, direct.output);
  }
  EXPECT_FALSE(std::filesystem::exists(dir_ / "bad.o"));
  EXPECT_EQ(Hits(), 0u);
  EXPECT_EQ(FilesLike("bad."), 1u) << "no litter beside the output";
}

TEST_F(NvccTest, BecomesNvccForWhatIsNotForACache) {
  const test::Ran ran = Launch("--version");
  EXPECT_EQ(ran.output, Shell(test::ToolkitTool("nvcc") + " --version").output);
  EXPECT_EQ(Launch("-Iinc -DEXTRA=1 -E k.cu -o k.i").exit_code, 0);
  EXPECT_THAT(Contents("k.i"), HasSubstr("void k(int* p)"));
  EXPECT_EQ(tier_.OpenCounters()->Get(Counter::kNvccPassed), 2u);
  const test::Ran missing = Shell(fmt::format("PATH=/nowhere {}/ptxfarm-nvcc /nowhere/nvcc -c k.cu",
                                              std::getenv("PTXFARM_BIN")));
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_THAT(missing.output, HasSubstr("there is no nvcc"));
}

// As CMake calls a launcher.
TEST_F(NvccTest, PtxfarmItselfBecomesTheLauncher) {
  const auto served = [&] {
    const u64 before = Hits();
    const test::Ran ran = Shell(fmt::format("{}/ptxfarm {} {}", std::getenv("PTXFARM_BIN"),
                                            test::ToolkitTool("nvcc"), kCall));
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    return Hits() > before;
  };
  EXPECT_FALSE(served());
  EXPECT_TRUE(served());
}

TEST_F(NvccTest, WorksWithoutAPlaceToRemember) {
  const test::Ran ran =
      Shell(fmt::format("PTXFARM_LOCAL_RESULTS=/proc/nowhere {}/ptxfarm-nvcc {} {}",
                        std::getenv("PTXFARM_BIN"), test::ToolkitTool("nvcc"), kCall));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_THAT(Contents("k.ptx"), HasSubstr("11"));
}

}  // namespace
}  // namespace ptxfarm::dropin
