// nvcc's step from CUDA to PTX, remembered: what it is known by, and that the objects stay the
// same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/dropin/nvcc/cicc_call.h"
#include "tests/client/dropin/nvcc_user.h"

namespace ptxfarm::dropin {
namespace {

using testing::Contains;
using testing::HasSubstr;

// ---- Words

const std::vector<std::string> kWords = {
    "--c++17",
    "-arch",
    "compute_80",
    "-m64",
    "-ftz=0",
    "--include_file_name",
    "tmpxft_0000a1b2_00000000-3_a.fatbin.c",
    "--module_id_file_name",
    "/tmp/tmpxft_0000a1b2_00000000-4_a.module_id",
    "--stub_file_name",
    "/tmp/tmpxft_0000a1b2_00000000-6_a.cudafe1.stub.c",
    "/tmp/tmpxft_0000a1b2_00000000-7_a.cpp1.ii",
    "-o",
    "/tmp/tmpxft_0000a1b2_00000000-6_a.ptx",
};

std::vector<std::string> Renumbered(std::string_view number) {
  std::vector<std::string> words = kWords;
  for (std::string& word : words)
    word = WithNumber(WithoutNumber(word, "0000a1b2_00000000"), number);
  return words;
}

std::vector<std::string> With(std::vector<std::string> more) {
  std::vector<std::string> words = kWords;
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CiccCallTest, TheNumberOfTheCallIsInNoKey) {
  const CiccCall one = ReadCiccCall(kWords), other = ReadCiccCall(Renumbered("000fffff_00000001"));
  EXPECT_EQ(one.why_not, "");
  EXPECT_EQ(one.number, "0000a1b2_00000000");
  EXPECT_EQ(other.number, "000fffff_00000001");
  EXPECT_EQ(one.key_words, other.key_words);
  EXPECT_EQ(one.text, "/tmp/tmpxft_0000a1b2_00000000-7_a.cpp1.ii");
  EXPECT_EQ(one.module_id, "/tmp/tmpxft_0000a1b2_00000000-4_a.module_id");
  EXPECT_EQ(one.outputs[static_cast<std::size_t>(CiccOutput::kPtx)],
            "/tmp/tmpxft_0000a1b2_00000000-6_a.ptx");
}

TEST(CiccCallTest, WhatChangesABytesIsInTheKey) {
  const std::vector<std::string> key = ReadCiccCall(kWords).key_words;
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"-g"},
                                             {"-O0"},
                                             {"-maxreg", "32"},
                                             {"-maxreg", "64"},
                                             {"--gen_c_file_name", "a.c"},
                                             {"--device-c"}}) {
    const CiccCall call = ReadCiccCall(With(more));
    EXPECT_EQ(call.why_not, "") << more[0];
    EXPECT_NE(call.key_words, key) << more[0];
  }
  EXPECT_NE(ReadCiccCall(With({"-maxreg", "32"})).key_words,
            ReadCiccCall(With({"-maxreg", "64"})).key_words);
  EXPECT_EQ(ReadCiccCall(With({"-olto", "a.ltoir"})).key_words,
            ReadCiccCall(With({"-olto", "b.ltoir"})).key_words);
}

TEST(CiccCallTest, WhoseModuleIdIsMadeWritesIt) {
  const CiccCall call = ReadCiccCall(With({"--gen_module_id_file"}));
  EXPECT_EQ(call.module_id, "");
  EXPECT_EQ(call.outputs[static_cast<std::size_t>(CiccOutput::kModuleId)],
            "/tmp/tmpxft_0000a1b2_00000000-4_a.module_id");
}

TEST(CiccCallTest, WhatIsNotKnownIsNotForACache) {
  for (const auto& [more, why] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"-show-src"}, "-show-src is not known"},
           {{"-nvvmir-library", "mine.bc"}, "-nvvmir-library is not known"},
           {{"other.ii"}, "two inputs"},
           {{"-maxreg"}, "-maxreg has no value"},
           {{"--gen_c_file_name", "/tmp/tmpxft_0000ffff_00000000-1_a.c"}, "two calls"}})
    EXPECT_THAT(ReadCiccCall(With(more)).why_not, HasSubstr(why));
  EXPECT_THAT(ReadCiccCall(std::vector<std::string>{"a.bc", "-o", "a.ptx"}).why_not,
              HasSubstr("no preprocessed text"));
  EXPECT_THAT(ReadCiccCall(std::vector<std::string>{"a.ii"}).why_not, HasSubstr("writes no PTX"));
}

TEST(CiccCallTest, NumbersComeAndGoInAnyText) {
  const std::string text =
      "a tmpxft_0000a1b2_00000000-3 tmpxft_0000a1b2_00000001-3 tmpxft_0000a1b2_00000000_6";
  const std::string without = WithoutNumber(text, "0000a1b2_00000000");
  EXPECT_EQ(without,
            "a tmpxft_00000000_00000000-3 tmpxft_0000a1b2_00000001-3 tmpxft_00000000_00000000_6");
  EXPECT_EQ(WithNumber(without, "00001234_00000002"),
            "a tmpxft_00001234_00000002-3 tmpxft_0000a1b2_00000001-3 tmpxft_00001234_00000002_6");
  EXPECT_EQ(WithoutNumber(text, ""), text);
}

// ---- In the launcher

class CiccTest : public NvccUser {
 protected:
  void SetUp() override {
    NvccUser::SetUp();
    WriteSource("return 7", "x * 3");
  }
  void WriteSource(std::string_view host, std::string_view device) const {
    Write("k.cu", fmt::format("static __device__ int counter;\n"
                              "__device__ int twice(int x) {{ return {}; }}\n"
                              "__global__ void k(int* p) {{ *p = twice(*p) + ++counter; }}\n"
                              "#ifndef __CUDA_ARCH__\n"
                              "int OnHostOnly(int* p) {{ k<<<1, 1>>>(p); {}; }}\n#endif\n",
                              device, host));
  }
  u64 Count(Counter counter) const {
    const std::optional<Counters> counters = tier_.OpenCounters();
    return counters ? counters->Get(counter) : 0;
  }
  // Runs the launcher, which must compile, and nvcc; the objects have to be equal. Says how many of
  // cicc's calls were served.
  u64 ServedSteps(const std::string& words) const {
    const u64 hits = Count(Counter::kCiccHit), whole = Counted().misses;
    const test::Ran ran = Launch(words + " -o k.o");
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    EXPECT_EQ(Counted().misses, whole + 1) << words;
    const test::Ran direct = Shell(test::ToolkitTool("nvcc") + " " + words + " -o d.o");
    EXPECT_EQ(direct.exit_code, 0);
    EXPECT_EQ(ran.output, direct.output) << words;
    EXPECT_TRUE(WithoutProcessNumber(Contents("k.o")) == WithoutProcessNumber(Contents("d.o")))
        << words;
    return Count(Counter::kCiccHit) - hits;
  }
};

TEST_F(CiccTest, WhatOnlyTheHostSeesRunsNoCicc) {
  const std::string call =
      "-c k.cu -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90";
  EXPECT_EQ(ServedSteps(call), 0u);
  EXPECT_EQ(Count(Counter::kCiccMiss), 2u);
  const u64 compiled = Count(Counter::kTool);
  WriteSource("return 8", "x * 3");
  EXPECT_EQ(ServedSteps(call), 2u);
  EXPECT_EQ(ServedSteps(call + " -Xcompiler -Wall"), 2u);
  EXPECT_EQ(Count(Counter::kTool), compiled) << "no ptxas either";
  WriteSource("return 8", "x * 4");
  EXPECT_EQ(ServedSteps(call), 0u);
  EXPECT_EQ(Count(Counter::kCiccMiss), 4u);
  EXPECT_EQ(Count(Counter::kCiccPassed), 0u);
}

// Of nvcc's options each is known in what nvcc makes of it for cicc, and a second call in which
// only the host differs is served and gives the object that nvcc gives.
TEST_F(CiccTest, IsServedWithEachOptionOfNvcc) {
  for (const char* const option :
       {"-G -no-compress" /* else the number is packed away */, "-lineinfo", "-O1 -Ofc mid",
        "-dc -dlto -arch=sm_80", "-std=c++20 -rdc=true",
        "--expt-relaxed-constexpr --extended-lambda -maxrregcount 32 -use_fast_math",
        "-split-compile 2 -extra-device-vectorization -keep-device-functions -restrict",
        "-diag-suppress 20 -Wreorder -nohdinitlist -nohdmoveforward -ewp -err-no",
        "-ftemplate-depth 30 -ftemplate-backtrace-limit 3 -opt-info inline"}) {
    const std::string phase = std::string_view(option).starts_with("-dc") ? "" : "-c ";
    const std::string call = phase + "k.cu " + option;
    EXPECT_EQ(Launch(call + " -o k.o").exit_code, 0) << option;
    EXPECT_EQ(ServedSteps(call + " -Xcompiler -Wall"), 1u) << option;
  }
  EXPECT_EQ(Count(Counter::kCiccPassed), 0u);
}

TEST_F(CiccTest, WhatReadsMoreIsLeftToCicc) {
  EXPECT_EQ(ServedSteps("-c k.cu -src-in-ptx -lineinfo"), 0u);
  EXPECT_EQ(Count(Counter::kCiccPassed), 1u);
  EXPECT_EQ(Count(Counter::kCiccMiss), 0u);
}

TEST_F(CiccTest, FailsAsCiccFails) {
  Write("k.cu", "__global__ void k(int* p) { *p = nowhere; }\n");
  for (int i = 0; i < 2; ++i) {
    const test::Ran ran = Launch("-c k.cu -o k.o");
    const test::Ran direct = Shell(test::ToolkitTool("nvcc") + " -c k.cu -o d.o");
    EXPECT_NE(ran.exit_code, 0);
    EXPECT_EQ(ran.exit_code, direct.exit_code);
  }
  EXPECT_EQ(Count(Counter::kCiccHit), 0u);
}

}  // namespace
}  // namespace ptxfarm::dropin
