#include "base/check.h"
#include "rpc/remote_blob_store.h"
#include "tests/bench/big_blob.h"
#include "tests/bench/measures.h"
#include "tests/bench/ratio.h"

namespace ptxfarm::bench {
namespace {

constexpr int kRounds = 5;
// ≥ 80 % of the bare stream's bytes a second.
constexpr double kGoal = 1 / 0.8;

void BareUpload(EchoService::Stub& stub, const UploadRequest& message) {
  grpc::ClientContext context;
  UploadResponse response;
  const auto stream = stub.Upload(&context, &response);
  for (u64 i = 0; i < kBigBlobChunks; ++i) PTXFARM_CHECK(stream->Write(message));
  stream->WritesDone();
  PTXFARM_CHECK(stream->Finish().ok() && response.size_bytes() == kBigBlobChunks * kChunkBytes);
}

void BareDownload(EchoService::Stub& stub) {
  grpc::ClientContext context;
  DownloadRequest request;
  request.set_messages(kBigBlobChunks);
  request.set_message_bytes(kChunkBytes);
  const auto stream = stub.Download(&context, request);
  u64 bytes = 0;
  for (DownloadResponse response; stream->Read(&response);) bytes += response.data().size();
  PTXFARM_CHECK(stream->Finish().ok() && bytes == kBigBlobChunks * kChunkBytes);
}

void MeasureContent(const Rivals& rivals, Content content) {
  const std::unique_ptr<BlobStore> farm = rpc::MakeRemoteBlobStore(rivals.Farm());
  const auto echo = EchoService::NewStub(rivals.Echo().grpc());
  UploadRequest message;
  message.mutable_data()->assign(kChunkBytes, 'x');
  BigBlobs blobs(content);
  const std::string_view name = content == Content::kPtx ? "PTX" : "noise";

  Blob last;
  PrintRow(fmt::format("{} MiB of {} up", kBigBlobChunks, name),
           Compare(
               kRounds,
               [&] {
                 last = blobs.Next();
                 return Milliseconds([&] { PTXFARM_CHECK(farm->Put(last).has_value()); });
               },
               [&] { return Milliseconds([&] { BareUpload(*echo, message); }); }),
           kGoal, "ms");
  PrintRow(fmt::format("{} MiB of {} down", kBigBlobChunks, name),
           Compare(
               kRounds,
               [&] {
                 return Milliseconds([&] {
                   PTXFARM_CHECK(ReadThrough(*farm, last.digest) == kBigBlobChunks * kChunkBytes);
                 });
               },
               [&] { return Milliseconds([&] { BareDownload(*echo); }); }),
           kGoal, "ms");
}

}  // namespace

void MeasureStreams(Rivals& rivals) {
  MeasureContent(rivals, Content::kPtx);
  MeasureContent(rivals, Content::kNoise);
}

}  // namespace ptxfarm::bench
