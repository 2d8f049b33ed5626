#include "tests/client/lib/fake_farm.h"

#include "rpc/convert.h"

namespace ptxfarm::test {

class FakeFarm::CompileService final : public v1::CompileService::Service {
 public:
  explicit CompileService(FakeFarm& farm) : farm_(farm) {}

  grpc::Status Compile(grpc::ServerContext* context, const v1::CompileRequest* request,
                       grpc::ServerWriter<v1::CompileResponse>* writer) override {
    v1::CompileRequest copy = *request;
    Result<rpc::CompileRequest> read = rpc::FromProto(std::move(copy));
    if (!read) return {grpc::StatusCode::INVALID_ARGUMENT, read.error().message};
    const Send send = [&](const rpc::CompileResponse& response) {
      writer->Write(rpc::ToProto(response));
    };
    return farm_.compile_(farm_.calls_++, *read, send, *context);
  }

  grpc::Status GetCapabilities(grpc::ServerContext*, const v1::GetCapabilitiesRequest*,
                               v1::GetCapabilitiesResponse* response) override {
    *response = rpc::ToProto(rpc::Capabilities{.server_version = "9.9.9", .workers = 3});
    return grpc::Status::OK;
  }

 private:
  FakeFarm& farm_;
};

class FakeFarm::BlobService final : public v1::BlobService::Service {
 public:
  explicit BlobService(FakeFarm& farm) : farm_(farm) {}

  grpc::Status UploadBlob(grpc::ServerContext*, grpc::ServerReader<v1::UploadBlobRequest>* reader,
                          v1::UploadBlobResponse*) override {
    ++farm_.uploads_;
    Blob blob;
    v1::UploadBlobRequest request;
    while (reader->Read(&request)) {
      if (request.has_digest()) blob.digest = *rpc::FromProto(request.digest());
      if (request.has_chunk())
        blob.chunks.push_back(*rpc::FromProto(std::move(*request.mutable_chunk())));
    }
    farm_.Hold(blob);
    return grpc::Status::OK;
  }

  grpc::Status DownloadBlob(grpc::ServerContext*, const v1::DownloadBlobRequest* request,
                            grpc::ServerWriter<v1::DownloadBlobResponse>* writer) override {
    ++farm_.downloads_;
    const Digest digest = *rpc::FromProto(request->digest());
    std::vector<Chunk> chunks;
    {
      const std::lock_guard lock(farm_.mutex_);
      const auto found = farm_.blobs_.find(digest);
      if (found == farm_.blobs_.end()) return {grpc::StatusCode::NOT_FOUND, "no such blob"};
      chunks = found->second.chunks;
    }
    for (const Chunk& chunk : chunks) {
      v1::DownloadBlobResponse response;
      std::string plain = *PlainOf(chunk);
      if (farm_.damage_) plain[0] ^= 1;
      *response.mutable_chunk() = rpc::ToProto(MakeChunk(plain));
      writer->Write(response);
    }
    return grpc::Status::OK;
  }

 private:
  FakeFarm& farm_;
};

FakeFarm::FakeFarm(Compile compile)
    : compile_(std::move(compile)),
      compile_service_(std::make_unique<CompileService>(*this)),
      blob_service_(std::make_unique<BlobService>(*this)) {
  Start();
}

FakeFarm::~FakeFarm() { Stop(); }

void FakeFarm::Start() {
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address(), grpc::InsecureServerCredentials());
  builder.RegisterService(compile_service_.get());
  builder.RegisterService(blob_service_.get());
  server_ = builder.BuildAndStart();
  PTXFARM_CHECK(server_ != nullptr);
}

void FakeFarm::Stop() {
  if (server_ == nullptr) return;
  // At once: what is under way is cancelled.
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
  server_.reset();
}

void FakeFarm::Hold(const Blob& blob) {
  const std::lock_guard lock(mutex_);
  blobs_[blob.digest] = blob;
}

bool FakeFarm::Holds(const Digest& digest) const {
  const std::lock_guard lock(mutex_);
  return blobs_.contains(digest);
}

rpc::TargetResult OkResult(const std::string& target, const Blob& object) {
  rpc::TargetResult result{.target = target, .served = rpc::Served::kMiss};
  result.result.outcome = action::Outcome::kOk;
  const bool is_fatbin = target == rpc::kFatbinTarget;
  result.result.outputs = {
      {is_fatbin ? action::OutputRole::kFatbin : action::OutputRole::kCubin, object.digest}};
  return result;
}

}  // namespace ptxfarm::test
