#include "worker/server_connection.h"

#include <deque>
#include <utility>

#include "ptxfarm/v1/worker_service.grpc.pb.h"
#include "rpc/convert.h"
#include "rpc/remote_blob_store.h"
#include "rpc/status.h"
#include "store/with_digest_check.h"

namespace ptxfarm::worker {

// One call of Synchronize. Writes one report at a time and reads orders until the server ends it.
// gRPC holds it until OnDone; the connection shares it to write.
class ServerConnection::Stream final
    : public grpc::ClientBidiReactor<v1::SynchronizeRequest, v1::SynchronizeResponse> {
 public:
  Stream(ServerConnection& connection, rpc::Channel channel)
      : connection_(connection),
        channel_(std::move(channel)),
        stub_(v1::WorkerService::NewStub(channel_.grpc())) {
    channel_.Prepare(context_, "WorkerService/Synchronize");
  }

  void Begin() {
    stub_->async()->Synchronize(&context_, this);
    // Writes are begun from other threads, as long as this hold is there.
    AddHold();
    StartRead(&orders_);
    StartCall();
  }

  void Send(rpc::WorkerReport report) {
    const std::lock_guard lock(mutex_);
    if (released_ || closing_) return;
    // A heartbeat that couldn't be sent yet is replaced by the newer one.
    const bool beats_only = !report.worker && report.finished.empty();
    if (beats_only && waiting_.size() > 1 && waiting_.back().finished.empty() &&
        !waiting_.back().worker) {
      waiting_.back() = std::move(report);
    } else {
      waiting_.push_back(std::move(report));
    }
    if (waiting_.size() == 1) WriteFirst();
  }

  // After what waits.
  void Close() {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    if (waiting_.empty()) EndWrites();
  }

  void Abort() { context_.TryCancel(); }

  void OnReadDone(bool ok) override {
    if (!ok) {
      const std::lock_guard lock(mutex_);
      return Release();
    }
    Result<rpc::WorkerOrders> orders = rpc::FromProto(std::move(orders_));
    if (!orders) {
      {
        const std::lock_guard lock(mutex_);
        malformed_ = std::move(orders).error().Wrap("the server's orders");
      }
      context_.TryCancel();
      orders_.Clear();
      return StartRead(&orders_);
    }
    connection_.loop_->OnOrders(connection_.index_, *std::move(orders));
    orders_.Clear();
    StartRead(&orders_);
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    waiting_.pop_front();
    if (!ok) {
      waiting_.clear();
      return Release();
    }
    if (!waiting_.empty()) return WriteFirst();
    if (closing_) EndWrites();
  }

  void OnDone(const grpc::Status& status) override {
    Error why{Code::kUnavailable, "the server ended the stream"};
    if (!status.ok()) why = rpc::FromStatus(status);
    if (malformed_.code != Code::kOk) why = malformed_;
    connection_.OnStreamEnd(why);
  }

 private:
  // All with mutex_ held.
  void WriteFirst() {
    report_ = rpc::ToProto(waiting_.front());
    StartWrite(&report_);
  }
  void EndWrites() {
    if (released_) return;
    StartWritesDone();
    Release();
  }
  void Release() {
    if (!std::exchange(released_, true)) RemoveHold();
  }

  ServerConnection& connection_;
  const rpc::Channel channel_;
  const std::unique_ptr<v1::WorkerService::Stub> stub_;
  grpc::ClientContext context_;
  v1::SynchronizeResponse orders_;  // The reading side's.
  v1::SynchronizeRequest report_;   // Being written.

  std::mutex mutex_;
  std::deque<rpc::WorkerReport> waiting_;  // The first is being written.
  bool closing_ = false;
  bool released_ = false;
  Error malformed_{Code::kOk, ""};
};

ServerConnection::~ServerConnection() {
  Abort();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return stream_ == nullptr && ending_ == 0; });
}

void ServerConnection::Bind(WorkerLoop& loop, ServerIndex index) {
  loop_ = &loop;
  index_ = index;
}

Status ServerConnection::Open() {
  PTXFARM_ASSIGN_OR_RETURN(rpc::Channel channel, rpc::Channel::Make(options_));
  std::shared_ptr<BlobStore> blobs = WithDigestCheck(rpc::MakeRemoteBlobStore(channel));
  const auto stream = std::make_shared<Stream>(*this, std::move(channel));
  {
    const std::lock_guard lock(mutex_);
    PTXFARM_CHECK(stream_ == nullptr, "one stream at a time");
    stream_ = stream;
    blobs_ = std::move(blobs);
  }
  stream->Begin();
  return Ok{};
}

void ServerConnection::Send(rpc::WorkerReport report) {
  std::shared_ptr<Stream> stream;
  {
    const std::lock_guard lock(mutex_);
    stream = stream_;
  }
  if (stream != nullptr) stream->Send(std::move(report));
}

void ServerConnection::Close() {
  std::shared_ptr<Stream> stream;
  {
    const std::lock_guard lock(mutex_);
    stream = stream_;
  }
  if (stream != nullptr) stream->Close();
}

std::shared_ptr<BlobStore> ServerConnection::Blobs() const {
  const std::lock_guard lock(mutex_);
  return blobs_;
}

void ServerConnection::Abort() {
  std::shared_ptr<Stream> stream;
  {
    const std::lock_guard lock(mutex_);
    stream = stream_;
  }
  if (stream != nullptr) stream->Abort();
}

void ServerConnection::OnStreamEnd(const Error& why) {
  std::shared_ptr<Stream> stream;  // Goes at the end of this call, which is the stream's last.
  {
    const std::lock_guard lock(mutex_);
    stream = std::exchange(stream_, nullptr);
    ++ending_;
  }
  // From here on the loop may open the next one.
  loop_->OnClosed(index_, why);
  const std::lock_guard lock(mutex_);
  --ending_;
  ended_.notify_all();
}

}  // namespace ptxfarm::worker
