// When a call is tried again, and after how long.
#pragma once

#include <chrono>
#include <optional>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::client {

// A failed try: what went wrong, and the delay that the server asked for.
struct Failure {
  Error error;
  std::optional<std::chrono::milliseconds> retry_after;
};

// Whether another try can help: the server is away or restarting, or is full and says when to come
// back.
bool IsRetryable(const Failure& failure);

// One call's tries. The delay doubles from 50 ms to 5 s and is spread by up to half, so that
// clients which lost one server don't come back all at once; what the server asks for is never cut
// short.
class RetryBudget {
 public:
  // At least one try; `seed` is any number that differs between processes.
  RetryBudget(u32 attempts_max, u32 seed) : attempts_left_(attempts_max), random_(seed | 1) {}

  // The delay before the next try, or nothing where there is none.
  std::optional<std::chrono::milliseconds> Next(const Failure& failure);

 private:
  u32 attempts_left_;
  u32 random_;
  std::chrono::milliseconds delay_{50};
};

}  // namespace ptxfarm::client
