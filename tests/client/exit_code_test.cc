#include "client/exit_code.h"

#include <gtest/gtest.h>

namespace ptxfarm::client {
namespace {

// The numbers are a contract with scripts.
TEST(ExitCodeTest, NumbersAreFixed) {
  int number = 0;
  for (const ExitCodeRow& row : ExitCodes())
    EXPECT_EQ(static_cast<int>(row.code), number++) << row.name;
  EXPECT_EQ(number, 5);
  EXPECT_EQ(NameOf(ExitCode::kService), "service");
}

TEST(ExitCodeTest, TheHighestWins) {
  EXPECT_EQ(Worse(ExitCode::kInput, ExitCode::kService), ExitCode::kService);
  EXPECT_EQ(Worse(ExitCode::kFile, ExitCode::kInput), ExitCode::kFile);
}

TEST(ExitCodeTest, OutcomesOfTheModuleAreItsAndAllElseTheFarms) {
  using action::Outcome;
  EXPECT_EQ(ExitCodeOf(Outcome::kOk), ExitCode::kOk);
  for (const Outcome outcome : {Outcome::kInputError, Outcome::kResourceLimit})
    EXPECT_EQ(ExitCodeOf(outcome), ExitCode::kInput) << action::RowOf(outcome).name;
  for (const Outcome outcome : {Outcome::kToolchainTooOld, Outcome::kCrashed,
                                Outcome::kServiceLimit, Outcome::kCancelled, Outcome::kFault})
    EXPECT_EQ(ExitCodeOf(outcome), ExitCode::kService) << action::RowOf(outcome).name;
}

TEST(ExitCodeTest, ErrorsTellUsageServiceAndFilesApart) {
  EXPECT_EQ(ExitCodeOfCall({Code::kInvalidArgument, ""}), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOfCall({Code::kUnavailable, ""}), ExitCode::kService);
  EXPECT_EQ(ExitCodeOfRead({Code::kNotFound, ""}), ExitCode::kFile);
  EXPECT_EQ(ExitCodeOfRead({Code::kDataLoss, ""}), ExitCode::kInput);
}

}  // namespace
}  // namespace ptxfarm::client
