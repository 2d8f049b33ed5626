#include "client/lib/connection.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/chrono.h>

#include "client/lib/cancel.h"
#include "client/lib/explain.h"
#include "rpc/status.h"

namespace ptxfarm::client {
namespace {

using Steady = std::chrono::steady_clock;

Result<std::shared_ptr<const rpc::Channel>> MakeChannel(const ConnectOptions& options) {
  PTXFARM_ASSIGN_OR_RETURN(rpc::Channel channel,
                           rpc::Channel::Make({.address = options.server,
                                               .tls_ca = options.tls_ca,
                                               .tls_cert = options.tls_cert,
                                               .tls_key = options.tls_key,
                                               .tls = options.tls,
                                               .tls_name = options.tls_name,
                                               .plaintext = options.plaintext,
                                               .token_file = options.token_file}));
  return std::shared_ptr<const rpc::Channel>(std::make_shared<rpc::Channel>(std::move(channel)));
}

// Waits for the outcome of the first attempt to connect. gRPC alone would fail a call at once while
// it is still waiting to reconnect, or wait for as long as TCP does for a host that swallows
// packets.
bool AwaitOutcome(grpc::Channel& channel, Steady::time_point deadline, const CancelToken& cancel) {
  // gRPC knows no cancellation here; a short step keeps Ctrl-C prompt.
  constexpr std::chrono::milliseconds kStep(100);
  while (true) {
    const grpc_connectivity_state state = channel.GetState(/*try_to_connect=*/true);
    if (state == GRPC_CHANNEL_READY || state == GRPC_CHANNEL_TRANSIENT_FAILURE) return true;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Steady::now());
    if (left.count() <= 0) return false;
    if (cancel.cancelled()) return true;
    channel.WaitForStateChange(state, std::chrono::system_clock::now() + std::min(left, kStep));
  }
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::Make(const ConnectOptions& options) {
  std::unique_ptr<Connection> connection(new Connection(options));
  PTXFARM_ASSIGN_OR_RETURN(connection->channel_, MakeChannel(options));
  return connection;
}

Status Connection::WithRetries(const Call& call, const CancelToken& cancel,
                               std::optional<Steady::time_point> deadline,
                               const Retrying& retrying) {
  RetryBudget budget(std::max<u32>(options_.attempts_max, 1), static_cast<u32>(::getpid()));
  while (true) {
    const std::shared_ptr<const rpc::Channel> used = channel();
    std::optional<Failure> failure = Try(call, cancel, deadline);
    if (!failure) return Ok{};
    const std::optional<std::chrono::milliseconds> delay = budget.Next(*failure);
    if (!delay || (deadline && Steady::now() + *delay >= *deadline))
      return std::move(failure)->error;
    if (retrying) retrying(failure->error, *delay);
    if (!CancelScope::WaitFor(cancel, *delay)) return MakeError(Code::kCancelled, "cancelled");
    if (failure->error.code != Code::kUnavailable) continue;
    if (options_.revive) PTXFARM_RETURN_IF_ERROR(options_.revive());
    PTXFARM_RETURN_IF_ERROR(Replace(used));
  }
}

std::optional<Failure> Connection::Try(const Call& call, const CancelToken& cancel,
                                       std::optional<Steady::time_point> deadline) {
  const std::shared_ptr<const rpc::Channel> used = channel();
  Steady::time_point connected_by = Steady::now() + options_.connect_timeout;
  if (deadline) connected_by = std::min(connected_by, *deadline);
  if (!AwaitOutcome(*used->grpc(), connected_by, cancel)) return Failure{NoAnswer(), std::nullopt};
  return call(*used);
}

Error Connection::NoAnswer() const {
  const bool is_local = rpc::IsLocalAddress(options_.server);
  return MakeError(Code::kUnavailable, "no answer from {} within {}; {}", options_.server,
                   options_.connect_timeout,
                   is_local
                       ? "it may hang ('ptxfarm stop' ends a local farm), or speak another protocol"
                       : "check the address and the network");
}

std::shared_ptr<const rpc::Channel> Connection::channel() {
  const std::lock_guard lock(mutex_);
  return channel_;
}

Status Connection::Replace(const std::shared_ptr<const rpc::Channel>& lost) {
  // Outside of the lock: it reads files.
  PTXFARM_ASSIGN_OR_RETURN(std::shared_ptr<const rpc::Channel> fresh, MakeChannel(options_));
  const std::lock_guard lock(mutex_);
  if (channel_ == lost) channel_ = std::move(fresh);
  return Ok{};
}

Failure FailureOf(const grpc::Status& status, const std::string& server) {
  return {Explain(rpc::FromStatus(status), server), rpc::RetryAfter(status)};
}

}  // namespace ptxfarm::client
