#include "toolchain/ptx/constant.h"

#include <gtest/gtest.h>

#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"

namespace ptxfarm::ptx {
namespace {

// The value of `text` as the size of an array, which is an expression wherever it comes from.
Evaluated ValueOf(const std::string& text) {
  const std::string module_text = ".version 8.0\n.target sm_80\n.global .b8 x[" + text + "];\n";
  const Source source{"k", module_text};
  const TokenBuffer tokens = *Lex(source);
  const Module module = *Parse(tokens);
  return Evaluate(module, module.variables[0].dimensions);
}

struct Case {
  const char* text;
  i64 value;
  bool is_unsigned;
};

// PTX ISA 9.4 §4.5.5, the table of types and the rules below it.
constexpr Case kCases[] = {
    {"7", 7, false},
    {"7U", 7, true},
    {"0x10", 16, false},
    {"017", 15, false},
    {"0b101", 5, false},
    {"0xFFFFFFFFFFFFFFFF", -1, true},
    {"9223372036854775807", 9223372036854775807, false},
    {"1+2*3", 7, false},
    {"(1+2)*3", 9, false},
    {"10-2-3", 5, false},
    {"2*3 % 4", 2, false},
    {"-7/2", -3, false},
    {"-7 % 3", -1, false},
    {"-7/2U", 0x7FFFFFFFFFFFFFFC, true},
    {"-1 < 0", 1, false},
    {"-1 < 0U", 0, false},
    {"1 << 62", i64{1} << 62, false},
    {"1 << 64", 0, false},
    {"-8 >> 1", -4, false},
    {"-8 >> 100", -1, false},
    {"0xF000000000000000 >> 60", 15, true},
    {"~0", -1, true},
    {"!5", 0, false},
    {"!0", 1, false},
    {"6 & 3 | 8 ^ 1", 11, true},
    {"1 ? 2 : 3", 2, false},
    {"0 ? 1 : 0 ? 2 : 3", 3, false},
    {"1 ? 2 : 1/0", 2, false},
    {"0 && 1/0", 0, false},
    {"1 || 1/0", 1, false},
    {"(.u64)-1 > 5", 1, false},
    {"(.s64)0xFFFFFFFFFFFFFFFF < 0", 1, false},
    {"WARP_SZ*2", 64, false},
    {"1 - -1", 2, false},
    {"1 == 1 != 0", 1, false},
    {"0x8000000000000000 / -1", 0, true},
    {"(.s64)0x8000000000000000 / -1", INT64_MIN, false},
};

TEST(ConstantTest, ExpressionsHaveTheManualsValues) {
  for (const Case& one : kCases) {
    const Evaluated found = ValueOf(one.text);
    EXPECT_EQ(found.fault, ConstantFault::kNone) << one.text;
    EXPECT_EQ(found.constant.value, one.value) << one.text;
    EXPECT_EQ(found.constant.is_unsigned, one.is_unsigned) << one.text;
  }
}

TEST(ConstantTest, FaultsAreTold) {
  EXPECT_EQ(ValueOf("5/0").fault, ConstantFault::kDivisionByZero);
  EXPECT_EQ(ValueOf("5 % 0").fault, ConstantFault::kDivisionByZero);
  EXPECT_EQ(ValueOf("1 ? 1/0 : 2").fault, ConstantFault::kDivisionByZero);
  EXPECT_EQ(ValueOf("x+1").fault, ConstantFault::kName);
  EXPECT_EQ(ValueOf("1+1.0").fault, ConstantFault::kMixed);
  EXPECT_EQ(ValueOf("1.0 << 2").fault, ConstantFault::kMixed);
  EXPECT_EQ(ValueOf("-0f3F800000").fault, ConstantFault::kSignedPattern);
  EXPECT_EQ(ValueOf("1e400").fault, ConstantFault::kFloatTooLarge);
}

TEST(ConstantTest, FloatsHaveTheFourOperators) {
  EXPECT_EQ(ValueOf("1.5*2.0-1.0").number, 2.0);
  EXPECT_EQ(ValueOf("0f3F800000").number, 1.0);
  EXPECT_EQ(ValueOf("0d4000000000000000").number, 2.0);
  EXPECT_EQ(ValueOf("1e-400").number, 0.0);
}

TEST(ConstantTest, LargeIntegersWrap) {
  EXPECT_TRUE(ValueOfInteger("18446744073709551616").wraps);
  EXPECT_FALSE(ValueOfInteger("18446744073709551615").wraps);
  EXPECT_EQ(ValueOfInteger("18446744073709551617").constant.value, 1);
}

// Deeper than a stack would bear, were there recursion.
TEST(ConstantTest, DepthIsBoundedNotDangerous) {
  const auto parses = [](u64 depth) {
    const std::string text = ".version 8.0\n.target sm_80\n.global .b8 x[" +
                             std::string(depth, '(') + "1" + std::string(depth, ')') + "];\n";
    const Source source{"k", text};
    const TokenBuffer tokens = *Lex(source);
    return Parse(tokens).has_value();
  };
  EXPECT_TRUE(parses(kExpressionsNestedMax.value));
  EXPECT_FALSE(parses(kExpressionsNestedMax.value + 1));
  EXPECT_FALSE(parses(1'000'000));
}

}  // namespace
}  // namespace ptxfarm::ptx
