// The inside of CancelToken: who waits or calls under it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>

#include <grpcpp/client_context.h>

#include "client/lib/client.h"

namespace ptxfarm::client {

struct CancelToken::State {
  ~State();

  std::mutex mutex;
  std::condition_variable changed;
  bool cancelled = false;
  std::set<grpc::ClientContext*> calls;
  int descriptor = -1;  // An eventfd, made for the first who asks.
};

// Puts a call under a token as long as it lives. One that is made under a cancelled token is
// cancelled at once.
class CancelScope {
 public:
  CancelScope(const CancelToken& token, grpc::ClientContext& context);
  ~CancelScope();
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  // Waits, at most `time`. False: the token was cancelled.
  static bool WaitFor(const CancelToken& token, std::chrono::milliseconds time);

 private:
  const std::shared_ptr<CancelToken::State> state_;
  grpc::ClientContext& context_;
};

}  // namespace ptxfarm::client
