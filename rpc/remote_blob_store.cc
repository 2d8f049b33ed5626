#include "rpc/remote_blob_store.h"

#include <memory>
#include <utility>

#include "ptxfarm/v1/blob_service.grpc.pb.h"
#include "rpc/convert.h"
#include "rpc/status.h"

namespace ptxfarm::rpc {
namespace {

class RemoteReader final : public BlobReader {
 public:
  RemoteReader(const Channel& channel, const Digest& digest)
      : stub_(v1::BlobService::NewStub(channel.grpc())) {
    channel.Prepare(context_, "BlobService/DownloadBlob");
    v1::DownloadBlobRequest request;
    *request.mutable_digest() = ToProto(digest);
    stream_ = stub_->DownloadBlob(&context_, request);
  }
  ~RemoteReader() override {
    if (finished_) return;
    context_.TryCancel();
    const grpc::Status ignored =
        stream_->Finish();  // Nobody wants the rest, so nobody wants to know.
  }

  Result<std::optional<Chunk>> Next() override {
    if (finished_) return std::optional<Chunk>();
    v1::DownloadBlobResponse response;
    if (stream_->Read(&response)) {
      PTXFARM_ASSIGN_OR_RETURN(Chunk chunk, FromProto(std::move(*response.mutable_chunk())));
      return std::optional<Chunk>(std::move(chunk));
    }
    finished_ = true;
    if (const grpc::Status status = stream_->Finish(); !status.ok()) return FromStatus(status);
    return std::optional<Chunk>();
  }

 private:
  std::unique_ptr<v1::BlobService::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::DownloadBlobResponse>> stream_;
  bool finished_ = false;
};

class RemoteWriter final : public BlobWriter {
 public:
  RemoteWriter(const Channel& channel, const Digest& digest)
      : stub_(v1::BlobService::NewStub(channel.grpc())), digest_(digest) {
    channel.Prepare(context_, "BlobService/UploadBlob");
    stream_ = stub_->UploadBlob(&context_, &response_);
  }
  ~RemoteWriter() override {
    if (finished_) return;
    context_.TryCancel();
    const grpc::Status ignored =
        stream_->Finish();  // The writer was given up; the server drops what it has.
  }

  Status Append(Chunk chunk) override {
    PTXFARM_RETURN_IF_ERROR(CheckShape(chunk));
    if (answered_) return Ok{};  // The server has the blob already and needs no more of it.
    FillProto(*request_.mutable_chunk(), chunk);
    return Send();
  }

  Status Commit() override {
    // An empty blob has no chunk to carry its name.
    if (!named_) PTXFARM_RETURN_IF_ERROR(Send());
    if (!answered_) stream_->WritesDone();
    return Finish();
  }

 private:
  Status Send() {
    if (named_)
      request_.clear_digest();
    else
      *request_.mutable_digest() = ToProto(digest_);
    named_ = true;
    if (stream_->Write(request_)) return Ok{};
    // The server has closed the stream: early with success where it has the blob, or with what is
    // wrong.
    answered_ = true;
    return Finish();
  }

  Status Finish() {
    if (!finished_) {
      finished_ = true;
      status_ = stream_->Finish();
    }
    if (!status_.ok()) return FromStatus(status_);
    return Ok{};
  }

  std::unique_ptr<v1::BlobService::Stub> stub_;
  const Digest digest_;
  grpc::ClientContext context_;
  v1::UploadBlobRequest
      request_;  // Used again and again, as its megabyte is expensive to get anew.
  v1::UploadBlobResponse response_;
  std::unique_ptr<grpc::ClientWriter<v1::UploadBlobRequest>> stream_;
  grpc::Status status_;
  bool named_ = false;
  bool answered_ = false;
  bool finished_ = false;
};

class RemoteBlobStore final : public BlobStore {
 public:
  explicit RemoteBlobStore(Channel channel)
      : channel_(std::move(channel)), stub_(v1::BlobService::NewStub(channel_.grpc())) {}

  Result<Blob> Get(const Digest& digest) override {
    Blob blob{.digest = digest};
    RemoteReader reader(channel_, digest);
    while (true) {
      PTXFARM_ASSIGN_OR_RETURN(std::optional<Chunk> chunk, reader.Next());
      if (!chunk) return blob;
      blob.chunks.push_back(*std::move(chunk));
    }
  }

  Status Put(const Blob& blob) override {
    RemoteWriter writer(channel_, blob.digest);
    for (const Chunk& chunk : blob.chunks) PTXFARM_RETURN_IF_ERROR(writer.Append(chunk));
    return writer.Commit();
  }

  Result<std::unique_ptr<BlobReader>> Open(const Digest& digest) override {
    return std::unique_ptr<BlobReader>(std::make_unique<RemoteReader>(channel_, digest));
  }

  Result<std::unique_ptr<BlobWriter>> Create(const Digest& digest) override {
    return std::unique_ptr<BlobWriter>(std::make_unique<RemoteWriter>(channel_, digest));
  }

  Result<std::vector<Digest>> FindMissing(std::span<const Digest> digests) override {
    grpc::ClientContext context;
    channel_.Prepare(context, "BlobService/FindMissingBlobs");
    v1::FindMissingBlobsRequest request;
    for (const Digest& digest : digests) *request.add_digests() = ToProto(digest);
    v1::FindMissingBlobsResponse response;
    if (const grpc::Status status = stub_->FindMissingBlobs(&context, request, &response);
        !status.ok())
      return FromStatus(status);
    std::vector<Digest> missing;
    for (const v1::Digest& message : response.missing()) {
      PTXFARM_ASSIGN_OR_RETURN(const Digest digest, FromProto(message));
      missing.push_back(digest);
    }
    return missing;
  }

 private:
  const Channel channel_;
  const std::unique_ptr<v1::BlobService::Stub> stub_;
};

}  // namespace

std::unique_ptr<BlobStore> MakeRemoteBlobStore(Channel channel) {
  return std::make_unique<RemoteBlobStore>(std::move(channel));
}

}  // namespace ptxfarm::rpc
