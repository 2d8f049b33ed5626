// BlobService on the wire: the store's blobs, in and out, a chunk at a time.
#pragma once

#include "ptxfarm/v1/blob_service.grpc.pb.h"
#include "server/authenticator.h"
#include "server/core.h"

namespace ptxfarm::server {

// Downloads are given as bytes: what is stored travels as it lies.
class BlobService final
    : public v1::BlobService::WithRawCallbackMethod_DownloadBlob<
          v1::BlobService::WithCallbackMethod_UploadBlob<
              v1::BlobService::WithCallbackMethod_FindMissingBlobs<v1::BlobService::Service>>> {
 public:
  // Both outlive the service.
  BlobService(Core& core, const Authenticator& authenticator)
      : core_(core), authenticator_(authenticator) {}

  grpc::ServerUnaryReactor* FindMissingBlobs(grpc::CallbackServerContext* context,
                                             const v1::FindMissingBlobsRequest* request,
                                             v1::FindMissingBlobsResponse* response) override;
  grpc::ServerReadReactor<v1::UploadBlobRequest>* UploadBlob(
      grpc::CallbackServerContext* context, v1::UploadBlobResponse* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* DownloadBlob(
      grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) override;

 private:
  Core& core_;
  const Authenticator& authenticator_;
};

}  // namespace ptxfarm::server
