#include "server/blob_service.h"

#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "rpc/convert.h"
#include "rpc/status.h"
#include "server/call_context.h"
#include "server/limits.h"

namespace ptxfarm::server {
namespace {

// Messages of one stream that are here and not yet dealt with: while one is hashed and written to
// the disk, or is on its way to the caller, the next one comes or is fetched. What a stream holds
// stays bounded by it.
constexpr std::size_t kAheadMax = 2;

// What may wait for the disk runs on the pool, a message at a time.
class UploadReactor final : public grpc::ServerReadReactor<v1::UploadBlobRequest> {
 public:
  UploadReactor(Core& core, v1::UploadBlobResponse& response) : core_(core), response_(response) {}

  void Begin() {
    reading_ = true;
    StartRead(&request_);
  }
  void Refuse(const Error& error) { Finish(rpc::ToStatus(error)); }

  void OnReadDone(bool ok) override {
    {
      const std::lock_guard lock(mutex_);
      reading_ = false;
      if (finished_) return;
      if (ok)
        arrived_.push_back(std::move(request_));
      else
        ended_ = true;
      ReadAhead();
      if (std::exchange(working_, true)) return;
    }
    core_.pool.Run([this] { Work(); });
  }
  void OnDone() override { delete this; }

 private:
  void ReadAhead() {
    if (reading_ || ended_ || arrived_.size() >= kAheadMax) return;
    reading_ = true;
    request_.Clear();
    StartRead(&request_);
  }

  // Until nothing is left to do now. On the pool, at most once at a time.
  void Work() {
    while (true) {
      std::optional<v1::UploadBlobRequest> message;
      {
        const std::lock_guard lock(mutex_);
        if (!arrived_.empty()) {
          message = std::move(arrived_.front());
          arrived_.pop_front();
          ReadAhead();
        } else if (!ended_) {
          working_ = false;
          return;
        }
      }
      const Status step = message ? TakeChunk(*message) : Commit();
      if (step && !response_.existed() && message) continue;
      {
        const std::lock_guard lock(mutex_);
        finished_ = true;
      }
      return Finish(step ? grpc::Status::OK
                         : rpc::ToStatus(step.error()));  // Nothing of this is touched after it.
    }
  }

  Status TakeChunk(v1::UploadBlobRequest& message) {
    if (writer_ == nullptr) {
      PTXFARM_RETURN_IF_ERROR(Open(message));
      if (response_.existed()) return Ok{};
    }
    if (!message.has_chunk()) return Ok{};  // The first message of an empty blob.
    PTXFARM_ASSIGN_OR_RETURN(Chunk chunk, rpc::FromProto(std::move(*message.mutable_chunk())));
    return writer_->Append(std::move(chunk));
  }

  Status Open(const v1::UploadBlobRequest& message) {
    if (!message.has_digest())
      return MakeError(Code::kInvalidArgument, "the first message of an upload names its digest");
    PTXFARM_ASSIGN_OR_RETURN(const Digest digest, rpc::FromProto(message.digest()));
    PTXFARM_ASSIGN_OR_RETURN(const std::vector<Digest> missing,
                             core_.store.blobs().FindMissing({&digest, 1}));
    if (missing.empty()) {
      response_.set_existed(true);
      return Ok{};
    }
    PTXFARM_ASSIGN_OR_RETURN(writer_, core_.store.blobs().Create(digest));
    return Ok{};
  }

  Status Commit() {
    if (writer_ == nullptr)
      return MakeError(Code::kInvalidArgument, "the upload ended before its first message");
    return writer_->Commit();
  }

  Core& core_;
  v1::UploadBlobResponse& response_;
  std::unique_ptr<BlobWriter> writer_;  // Of whoever works.

  std::mutex mutex_;
  v1::UploadBlobRequest request_;  // Being read.
  std::deque<v1::UploadBlobRequest> arrived_;
  bool reading_ = false;
  bool working_ = false;
  bool ended_ = false;  // Nothing comes any more.
  bool finished_ = false;
};

// Sends chunks as they lie in memory, without copying them into messages.
class DownloadReactor final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  explicit DownloadReactor(Core& core) : core_(core) {}

  void Begin(const Digest& digest) {
    core_.pool.Run([this, digest] {
      Result<std::unique_ptr<BlobReader>> reader = core_.store.blobs().Open(digest);
      if (!reader) return Refuse(reader.error());
      reader_ = *std::move(reader);
      FetchAhead();
    });
  }
  void Refuse(const Error& error) { Finish(rpc::ToStatus(error)); }

  void OnWriteDone(bool ok) override {
    std::optional<grpc::Status> finish;
    {
      const std::lock_guard lock(mutex_);
      writing_ = false;
      if (!ok) {
        ready_.clear();
        if (!end_) end_ = grpc::Status(grpc::StatusCode::CANCELLED, "the caller has gone");
      }
      if (!fetching_ && !end_) {
        fetching_ = true;
        core_.pool.Run([this] { FetchAhead(); });
      }
      finish = WriteNext();
    }
    if (finish) Finish(*finish);
  }
  void OnDone() override { delete this; }

 private:
  // On the pool, at most once at a time. Once fetching_ is false and the lock free, this may be
  // gone.
  void FetchAhead() {
    bool more = true;
    while (more) {
      const Result<std::optional<Chunk>> chunk = reader_->Next();
      std::optional<grpc::Status> finish;
      {
        const std::lock_guard lock(mutex_);
        if (!chunk)
          end_ = rpc::ToStatus(chunk.error());
        else if (!chunk->has_value())
          end_ = end_.value_or(grpc::Status::OK);
        else if (!end_)
          ready_.push_back(rpc::DownloadBlobResponseBytes(**chunk));
        more = !end_ && ready_.size() < kAheadMax;
        fetching_ = more;
        finish = WriteNext();
      }
      if (finish) return Finish(*finish);
    }
  }

  // Starts a write, or says how to end where all is written and fetched. mutex_ is held.
  std::optional<grpc::Status> WriteNext() {
    if (writing_ || finished_) return std::nullopt;
    if (!ready_.empty()) {
      writing_ = true;
      current_ = std::move(ready_.front());
      ready_.pop_front();
      StartWrite(&current_);
      return std::nullopt;
    }
    if (fetching_ || !end_) return std::nullopt;
    finished_ = true;
    return end_;
  }

  Core& core_;
  std::unique_ptr<BlobReader> reader_;  // Of whoever fetches.

  std::mutex mutex_;
  std::deque<grpc::ByteBuffer> ready_;
  grpc::ByteBuffer current_;         // Being written.
  std::optional<grpc::Status> end_;  // Once nothing more is fetched.
  bool fetching_ = true;
  bool writing_ = false;
  bool finished_ = false;
};

}  // namespace

grpc::ServerUnaryReactor* BlobService::FindMissingBlobs(grpc::CallbackServerContext* context,
                                                        const v1::FindMissingBlobsRequest* request,
                                                        v1::FindMissingBlobsResponse* response) {
  const Result<Caller> caller = CallerOf(*context, authenticator_, "BlobService/FindMissingBlobs");
  if (!caller) return Refuse(*context, caller.error());
  const auto find = [&]() -> Status {
    if (static_cast<u64>(request->digests_size()) > kDigestsMax.value)
      return MakeError(Code::kInvalidArgument, "{} digests in one call; {} is {}",
                       request->digests_size(), kDigestsMax.name, kDigestsMax.value);
    std::vector<Digest> digests;
    for (const v1::Digest& message : request->digests()) {
      PTXFARM_ASSIGN_OR_RETURN(const Digest digest, rpc::FromProto(message));
      digests.push_back(digest);
    }
    PTXFARM_ASSIGN_OR_RETURN(const std::vector<Digest> missing,
                             core_.store.blobs().FindMissing(digests));
    for (const Digest& digest : missing) *response->add_missing() = rpc::ToProto(digest);
    return Ok{};
  };
  const Status found = find();
  if (!found) return Refuse(*context, found.error());
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerReadReactor<v1::UploadBlobRequest>* BlobService::UploadBlob(
    grpc::CallbackServerContext* context, v1::UploadBlobResponse* response) {
  const Result<Caller> caller = CallerOf(*context, authenticator_, "BlobService/UploadBlob");
  auto* const reactor =
      new UploadReactor(core_, *response);  // Deletes itself when gRPC is done with it.
  if (caller)
    reactor->Begin();
  else
    reactor->Refuse(caller.error());
  return reactor;
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* BlobService::DownloadBlob(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) {
  const Result<Caller> caller = CallerOf(*context, authenticator_, "BlobService/DownloadBlob");
  const Result<Digest> digest = rpc::ParseDownloadBlobRequest(rpc::BytesOf(*request));
  auto* const reactor = new DownloadReactor(core_);  // Deletes itself when gRPC is done with it.
  if (!caller)
    reactor->Refuse(caller.error());
  else if (!digest)
    reactor->Refuse(digest.error());
  else
    reactor->Begin(*digest);
  return reactor;
}

}  // namespace ptxfarm::server
