#include "client/lib/cancel.h"

namespace ptxfarm::client {

CancelToken::CancelToken() : state_(std::make_shared<State>()) {}

void CancelToken::Cancel() const {
  const std::lock_guard lock(state_->mutex);
  state_->cancelled = true;
  for (grpc::ClientContext* call : state_->calls) call->TryCancel();
  state_->changed.notify_all();
}

bool CancelToken::cancelled() const {
  const std::lock_guard lock(state_->mutex);
  return state_->cancelled;
}

CancelScope::CancelScope(const CancelToken& token, grpc::ClientContext& context)
    : state_(token.state_), context_(context) {
  const std::lock_guard lock(state_->mutex);
  state_->calls.insert(&context_);
  if (state_->cancelled) context_.TryCancel();
}

CancelScope::~CancelScope() {
  const std::lock_guard lock(state_->mutex);
  state_->calls.erase(&context_);
}

bool CancelScope::WaitFor(const CancelToken& token, std::chrono::milliseconds time) {
  std::unique_lock lock(token.state_->mutex);
  return !token.state_->changed.wait_for(lock, time, [&] { return token.state_->cancelled; });
}

}  // namespace ptxfarm::client
