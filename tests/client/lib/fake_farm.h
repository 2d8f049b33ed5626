// A farm whose answers a test writes: a real gRPC server on a Unix socket, with services that
// follow a script.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "ptxfarm/v1/blob_service.grpc.pb.h"
#include "ptxfarm/v1/compile_service.grpc.pb.h"
#include "rpc/calls.h"
#include "store/blob.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::test {

class FakeFarm {
 public:
  using Send = std::function<void(const rpc::CompileResponse&)>;
  // What one Compile does; the number counts calls from 0.
  using Compile = std::function<grpc::Status(int call, const rpc::CompileRequest& request,
                                             const Send& send, grpc::ServerContext& context)>;

  explicit FakeFarm(Compile compile);
  ~FakeFarm();

  // Stops the server; Start lets another listen on the same socket.
  void Stop();
  void Start();

  std::string address() const { return "unix:" + (folder_ / "farm.sock"); }
  int calls() const { return calls_; }
  int uploads() const { return uploads_; }
  int downloads() const { return downloads_; }
  // What the next downloads give.
  void Hold(const Blob& blob);
  bool Holds(const Digest& digest) const;
  // From now on blobs arrive with a byte changed.
  void Damage() { damage_ = true; }

 private:
  class CompileService;
  class BlobService;

  const TempDir folder_;
  const Compile compile_;
  std::atomic<int> calls_ = 0, uploads_ = 0, downloads_ = 0;
  std::atomic<bool> damage_ = false;
  mutable std::mutex mutex_;
  std::map<Digest, Blob> blobs_;
  std::unique_ptr<CompileService> compile_service_;
  std::unique_ptr<BlobService> blob_service_;
  std::unique_ptr<grpc::Server> server_;
};

// A result with an object, as a farm would send it.
rpc::TargetResult OkResult(const std::string& target, const Blob& object);

}  // namespace ptxfarm::test
