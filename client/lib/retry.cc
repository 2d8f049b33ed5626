#include "client/lib/retry.h"

#include <algorithm>

namespace ptxfarm::client {

bool IsRetryable(const Failure& failure) {
  if (failure.error.code == Code::kUnavailable) return true;
  return failure.error.code == Code::kResourceExhausted && failure.retry_after.has_value();
}

std::optional<std::chrono::milliseconds> RetryBudget::Next(const Failure& failure) {
  if (!IsRetryable(failure) || attempts_left_ <= 1) return std::nullopt;
  --attempts_left_;
  // xorshift32: the spread needs no better numbers.
  random_ ^= random_ << 13;
  random_ ^= random_ >> 17;
  random_ ^= random_ << 5;
  const std::chrono::milliseconds spread(static_cast<i64>(random_) % (delay_.count() / 2 + 1));
  const std::chrono::milliseconds own = delay_ + spread;
  delay_ = std::min(delay_ * 2, std::chrono::milliseconds(5000));
  return std::max(own, failure.retry_after.value_or(std::chrono::milliseconds(0)));
}

}  // namespace ptxfarm::client
