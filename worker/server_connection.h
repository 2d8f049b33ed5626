// A server over gRPC: the WorkerService stream, and the server's blobs.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "rpc/channel.h"
#include "store/blob_store.h"
#include "worker/worker_loop.h"

namespace ptxfarm::worker {

class ServerConnection final : public ServerLink {
 public:
  explicit ServerConnection(rpc::ChannelOptions options) : options_(std::move(options)) {}
  // Cuts the stream off and waits for its end.
  ~ServerConnection() override;

  // Before the first Open(): whom to tell. The loop outlives the connection.
  void Bind(WorkerLoop& loop, ServerIndex index);

  const std::string& address() const override { return options_.address; }
  // A new channel each time: certificates and tokens may have changed on disk.
  Status Open() override;
  void Send(rpc::WorkerReport report) override;
  void Close() override;

  // Blobs as they can be reached now; null before the first Open(). Lives on while it is held.
  std::shared_ptr<BlobStore> Blobs() const;

  // Ends the stream at once, without waiting for it.
  void Abort();

 private:
  class Stream;

  // Called by the stream, once, as its last deed.
  void OnStreamEnd(const Error& why);

  const rpc::ChannelOptions options_;
  WorkerLoop* loop_ = nullptr;
  ServerIndex index_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::shared_ptr<Stream> stream_;  // Null where none is open.
  int ending_ = 0;                  // Calls of OnStreamEnd under way.
  std::shared_ptr<BlobStore> blobs_;
};

}  // namespace ptxfarm::worker
