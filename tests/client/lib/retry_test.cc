#include "client/lib/retry.h"

#include <gtest/gtest.h>

#include "client/lib/explain.h"

namespace ptxfarm::client {
namespace {

using std::chrono::milliseconds;

Failure Away() { return {{Code::kUnavailable, "away"}, std::nullopt}; }

TEST(RetryTest, OnlyWhatAnotherTryCanHelp) {
  EXPECT_TRUE(IsRetryable(Away()));
  EXPECT_TRUE(IsRetryable({{Code::kResourceExhausted, "queue full"}, milliseconds(10)}));
  EXPECT_FALSE(IsRetryable({{Code::kResourceExhausted, "module too large"}, std::nullopt}));
  for (const Code code :
       {Code::kInvalidArgument, Code::kUnauthenticated, Code::kPermissionDenied,
        Code::kDeadlineExceeded, Code::kCancelled, Code::kInternal, Code::kDataLoss})
    EXPECT_FALSE(IsRetryable({{code, ""}, std::nullopt})) << CodeName(code);
}

TEST(RetryTest, TheDelayGrowsToABoundAndTheTriesEnd) {
  RetryBudget budget(12, 7);
  milliseconds base(50);
  for (int i = 0; i < 11; ++i) {
    const std::optional<milliseconds> delay = budget.Next(Away());
    ASSERT_TRUE(delay) << i;
    EXPECT_GE(*delay, base) << i;
    EXPECT_LE(*delay, base + base / 2) << i;
    base = std::min(base * 2, milliseconds(5000));
  }
  EXPECT_FALSE(budget.Next(Away()));
}

TEST(RetryTest, WhatTheServerAsksForIsNeverCutShort) {
  RetryBudget budget(3, 1);
  EXPECT_EQ(budget.Next({{Code::kResourceExhausted, ""}, milliseconds(30'000)}),
            milliseconds(30'000));
}

TEST(RetryTest, OneTryMeansNone) { EXPECT_FALSE(RetryBudget(1, 1).Next(Away())); }

struct ExplainCase {
  Code code;
  const char* message;
  Code explained;
  const char* part;
};

TEST(ExplainTest, SaysWhatToDoAndWhetherARetryHelps) {
  const ExplainCase cases[] = {
      {Code::kUnavailable,
       "failed to connect to all addresses; last error: UNKNOWN: unix:/x: Connection refused",
       Code::kUnavailable, "no server listens there"},
      {Code::kUnavailable, "... Ssl handshake failed: SSL_ERROR_SSL: certificate verify failed",
       Code::kUnauthenticated, "--tls-ca"},
      {Code::kUnavailable, "DNS resolution failed for farm:1", Code::kUnavailable, "host name"},
      {Code::kUnimplemented, "Received http2 header with status: 404", Code::kUnimplemented,
       "it is no farm"},
      {Code::kUnknown, "Stream removed", Code::kUnavailable, "went away"},
      {Code::kUnauthenticated, "no token", Code::kUnauthenticated, "--token-file"},
      {Code::kUnavailable, "the server is draining", Code::kUnavailable, "the server is draining"},
      {Code::kInvalidArgument, "no such target: connection refused", Code::kInvalidArgument,
       "no such target"},
  };
  for (const ExplainCase& one : cases) {
    const Error error = Explain({one.code, one.message}, "unix:/x");
    EXPECT_EQ(error.code, one.explained) << one.message;
    EXPECT_NE(error.message.find(one.part), std::string::npos) << error.message;
  }
}

}  // namespace
}  // namespace ptxfarm::client
