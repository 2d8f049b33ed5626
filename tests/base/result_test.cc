#include "base/result.h"

#include <cerrno>
#include <memory>

#include <gtest/gtest.h>

#include "base/limits.h"

namespace ptxfarm {
namespace {

Result<int> Half(int n) {
  if (n % 2 != 0) return MakeError(Code::kInvalidArgument, "{} is odd", n);
  return n / 2;
}

Result<int> Quarter(int n) {
  PTXFARM_ASSIGN_OR_RETURN(const int half, Half(n));
  PTXFARM_RETURN_IF_ERROR(Half(half));
  return Half(half);
}

TEST(ResultTest, CarriesValuesAndErrorsUp) {
  EXPECT_EQ(Quarter(8).value(), 2);
  EXPECT_EQ(Quarter(6).error(), (Error{Code::kInvalidArgument, "3 is odd"}));
  EXPECT_EQ(Quarter(6).value_or(9), 9);
}

TEST(ResultTest, WrapAddsWhereWeWere) {
  EXPECT_EQ(Half(3).error().Wrap("halve {}", 3).ToString(), "INVALID_ARGUMENT: halve 3: 3 is odd");
}

TEST(ResultTest, HoldsWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> value = *std::move(result);
  EXPECT_EQ(*value, 5);
}

TEST(ResultDeathTest, TheWrongAccessAborts) {
  EXPECT_DEATH((void)Half(3).value(), "holds an error");
  EXPECT_DEATH((void)Half(2).error(), "holds a value");
}

TEST(ErrnoErrorTest, ChoosesTheCode) {
  EXPECT_EQ(ErrnoError(ENOENT, "open /x").ToString(),
            "NOT_FOUND: open /x: No such file or directory");
  EXPECT_EQ(ErrnoError(ENOSPC, "write").code, Code::kResourceExhausted);
}

TEST(LimitTest, TheErrorNamesTheLimit) {
  constexpr Limit kLimit{"source_bytes_max", 10, "for the test"};
  EXPECT_EQ(kLimit.Exceeded("source", 11).message, "source is 11; source_bytes_max is 10");
}

}  // namespace
}  // namespace ptxfarm
