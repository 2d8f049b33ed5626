// The channel of a client: made anew when its server was lost, and awaited before the first call.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

#include <grpcpp/client_context.h>

#include "client/lib/client.h"
#include "client/lib/retry.h"
#include "rpc/channel.h"

namespace ptxfarm::client {

class Connection {
 public:
  static Result<std::unique_ptr<Connection>> Make(const ConnectOptions& options);

  const ConnectOptions& options() const { return options_; }

  // Does `call` until it goes well, can't be helped, or the tries are used up. `call` gets a
  // channel that is connected or has just failed to (then its call says why). `retrying`, if any,
  // is told of each further try.
  using Call = std::function<std::optional<Failure>(const rpc::Channel& channel)>;
  using Retrying = std::function<void(const Error& why, std::chrono::milliseconds delay)>;
  Status WithRetries(const Call& call, const CancelToken& cancel,
                     std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt,
                     const Retrying& retrying = nullptr);

 private:
  explicit Connection(ConnectOptions options) : options_(std::move(options)) {}

  std::optional<Failure> Try(const Call& call, const CancelToken& cancel,
                             std::optional<std::chrono::steady_clock::time_point> deadline);
  Error NoAnswer() const;
  std::shared_ptr<const rpc::Channel> channel();
  // A new channel in place of `lost`, unless another thread has seen to it.
  Status Replace(const std::shared_ptr<const rpc::Channel>& lost);

  const ConnectOptions options_;
  std::mutex mutex_;
  std::shared_ptr<const rpc::Channel> channel_;
};

// The failure of a status that isn't OK, in words that say what to do about it.
Failure FailureOf(const grpc::Status& status, const std::string& server);

}  // namespace ptxfarm::client
