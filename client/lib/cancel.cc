#include "client/lib/cancel.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace ptxfarm::client {

CancelToken::State::~State() {
  if (descriptor >= 0) ::close(descriptor);
}

CancelToken::CancelToken() : state_(std::make_shared<State>()) {}

void CancelToken::Cancel() const {
  const std::lock_guard lock(state_->mutex);
  state_->cancelled = true;
  for (grpc::ClientContext* call : state_->calls) call->TryCancel();
  if (state_->descriptor >= 0) ::eventfd_write(state_->descriptor, 1);
  state_->changed.notify_all();
}

bool CancelToken::cancelled() const {
  const std::lock_guard lock(state_->mutex);
  return state_->cancelled;
}

int CancelToken::descriptor() const {
  const std::lock_guard lock(state_->mutex);
  if (state_->descriptor < 0)
    state_->descriptor = ::eventfd(state_->cancelled ? 1 : 0, EFD_CLOEXEC | EFD_NONBLOCK);
  return state_->descriptor;
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
