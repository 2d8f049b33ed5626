#include "server/blob_service.h"

#include <utility>

#include "rpc/convert.h"
#include "rpc/status.h"
#include "server/call_context.h"
#include "server/limits.h"

namespace ptxfarm::server {
namespace {

// Each step (take a chunk, write it, ask for the next) runs on the pool, since the disk may be
// slow: at most one is under way, so the stream's flow control bounds what is held.
class UploadReactor final : public grpc::ServerReadReactor<v1::UploadBlobRequest> {
 public:
  UploadReactor(Core& core, v1::UploadBlobResponse& response) : core_(core), response_(response) {}

  void Begin() { StartRead(&request_); }
  void Refuse(const Error& error) { Finish(rpc::ToStatus(error)); }

  void OnReadDone(bool ok) override {
    core_.pool.Run([this, ok] {
      const Status step = ok ? TakeChunk() : Commit();
      if (!step || response_.existed() || !ok)
        Finish(step ? grpc::Status::OK : rpc::ToStatus(step.error()));
      else
        StartRead(&request_);
    });
  }
  void OnDone() override { delete this; }

 private:
  Status TakeChunk() {
    if (writer_ == nullptr) {
      PTXFARM_RETURN_IF_ERROR(Open());
      if (response_.existed()) return Ok{};
    }
    if (!request_.has_chunk()) return Ok{};  // The first message of an empty blob.
    PTXFARM_ASSIGN_OR_RETURN(Chunk chunk, rpc::FromProto(std::move(*request_.mutable_chunk())));
    return writer_->Append(std::move(chunk));
  }

  Status Open() {
    if (!request_.has_digest())
      return MakeError(Code::kInvalidArgument, "the first message of an upload names its digest");
    PTXFARM_ASSIGN_OR_RETURN(const Digest digest, rpc::FromProto(request_.digest()));
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
  v1::UploadBlobRequest request_;
  std::unique_ptr<BlobWriter> writer_;
};

class DownloadReactor final : public grpc::ServerWriteReactor<v1::DownloadBlobResponse> {
 public:
  explicit DownloadReactor(Core& core) : core_(core) {}

  void Begin(const Digest& digest) {
    core_.pool.Run([this, digest] {
      Result<std::unique_ptr<BlobReader>> reader = core_.store.blobs().Open(digest);
      if (!reader) return Refuse(reader.error());
      reader_ = *std::move(reader);
      SendNext();
    });
  }
  void Refuse(const Error& error) { Finish(rpc::ToStatus(error)); }

  void OnWriteDone(bool ok) override {
    if (!ok) return Finish(grpc::Status(grpc::StatusCode::CANCELLED, "the caller has gone"));
    core_.pool.Run([this] { SendNext(); });
  }
  void OnDone() override { delete this; }

 private:
  void SendNext() {
    const Result<std::optional<Chunk>> chunk = reader_->Next();
    if (!chunk) return Refuse(chunk.error());
    if (!chunk->has_value()) return Finish(grpc::Status::OK);
    *response_.mutable_chunk() = rpc::ToProto(**chunk);
    StartWrite(&response_);
  }

  Core& core_;
  v1::DownloadBlobResponse response_;
  std::unique_ptr<BlobReader> reader_;
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

grpc::ServerWriteReactor<v1::DownloadBlobResponse>* BlobService::DownloadBlob(
    grpc::CallbackServerContext* context, const v1::DownloadBlobRequest* request) {
  const Result<Caller> caller = CallerOf(*context, authenticator_, "BlobService/DownloadBlob");
  const Result<Digest> digest = rpc::FromProto(request->digest());
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
