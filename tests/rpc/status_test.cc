#include "rpc/status.h"

#include <gtest/gtest.h>

namespace ptxfarm::rpc {
namespace {

TEST(StatusTest, ErrorsComeBack) {
  const Error error{Code::kFailedPrecondition, "upload it"};
  EXPECT_EQ(FromStatus(ToStatus(error)), error);
  EXPECT_EQ(RetryAfter(ToStatus(error)), std::nullopt);
}

TEST(StatusTest, ADelayTravelsInTheDetails) {
  const grpc::Status status =
      ToStatus({Code::kResourceExhausted, "full"}, std::chrono::milliseconds(1500));
  EXPECT_EQ(RetryAfter(status), std::chrono::milliseconds(1500));
  EXPECT_EQ(FromStatus(status).message, "full");
}

TEST(StatusTest, DetailsThatAreNoneAreIgnored) {
  EXPECT_EQ(RetryAfter(grpc::Status(grpc::StatusCode::UNAVAILABLE, "x", "\xff\xff garbage")),
            std::nullopt);
}

TEST(StatusTest, ADelayFromOutsideIsBounded) {
  const grpc::Status status = ToStatus({Code::kUnavailable, "x"}, std::chrono::hours(1000));
  EXPECT_LE(*RetryAfter(status), std::chrono::hours(1));
}

}  // namespace
}  // namespace ptxfarm::rpc
