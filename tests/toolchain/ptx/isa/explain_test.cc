#include "toolchain/ptx/isa/explain.h"

#include <gtest/gtest.h>

namespace ptxfarm::ptx::isa {
namespace {

TEST(ExplainTest, SaysWhatTheRowHas) {
  EXPECT_EQ(*ExplainInstruction("mul.wide"),
            "mul.wide<T>\n"
            "    where     T: .u16 .s16 .u32 .s32\n"
            "    operands  d: a register to write (W(T))\n"
            "              a: a register or a constant (T)\n"
            "              b: a register or a constant (T)\n"
            "    since     PTX 1.0\n"
            "    targets   any target\n"
            "    section   PTX ISA 9.4 §9.7.1.3\n");
}

TEST(ExplainTest, HasEveryFormOfANameAndNoOther) {
  const std::string all = *ExplainInstruction("prefetch");
  EXPECT_NE(all.find("prefetch{.global|.local}(.L1|.L2)"), std::string::npos);
  EXPECT_NE(all.find("prefetch{.const|.param}.tensormap"), std::string::npos);
  EXPECT_EQ(all.find("prefetchu"), std::string::npos);
  const std::string one = *ExplainInstruction("prefetch.tensormap");
  EXPECT_TRUE(one.starts_with("prefetch{.const|.param}.tensormap\n")) << one;
}

TEST(ExplainTest, HasNothingOfWhatIsNoInstruction) {
  EXPECT_FALSE(ExplainInstruction("muls"));
  EXPECT_FALSE(ExplainInstruction("mul.nowhere"));
  EXPECT_FALSE(ExplainInstruction(""));
}

}  // namespace
}  // namespace ptxfarm::ptx::isa
