#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "base/check.h"
#include "rpc/remote_blob_store.h"
#include "tests/bench/big_blob.h"
#include "tests/bench/measures.h"
#include "tests/bench/ratio.h"

namespace ptxfarm::bench {
namespace {

constexpr int kRounds = 3;
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

// A file of the blob's bytes on the store's disk, there to stay: what keeping them costs at least.
void WriteFileSynced(const std::string& path, const Blob& blob) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  PTXFARM_CHECK(file >= 0, path);
  for (const Chunk& chunk : blob.chunks)
    PTXFARM_CHECK(::write(file, chunk.bytes->data(), chunk.bytes->size()) ==
                  static_cast<ssize_t>(chunk.bytes->size()));
  PTXFARM_CHECK(::fdatasync(file) == 0);
  ::close(file);
  ::unlink(path.c_str());
}

std::string Named(Content content, std::string_view way) {
  return fmt::format("{} MiB of {} {}", kBigBlobChunks, content == Content::kPtx ? "PTX" : "noise",
                     way);
}

// Against a server that keeps blobs in memory: the path of the bytes alone, as the bare one is.
void MeasurePath(BlobStore& farm, EchoService::Stub& echo, Content content) {
  UploadRequest message;
  message.mutable_data()->assign(kChunkBytes, 'x');
  BigBlobs blobs(content);
  Blob last;
  const Round up = [&] {
    last = blobs.Next();
    return Milliseconds([&] { PTXFARM_CHECK(farm.Put(last).has_value()); });
  };
  const Round down = [&] {
    return Milliseconds(
        [&] { PTXFARM_CHECK(ReadThrough(farm, last.digest) == kBigBlobChunks * kChunkBytes); });
  };
  PrintRow(Named(content, "up, kept in memory"),
           Compare(kRounds, up, [&] { return Milliseconds([&] { BareUpload(echo, message); }); }),
           kGoal, "ms");
  PrintRow(Named(content, "down, from memory"),
           Compare(kRounds, down, [&] { return Milliseconds([&] { BareDownload(echo); }); }), kGoal,
           "ms");
}

// Against a server that keeps them on disk: how near it comes to what the disk takes.
void MeasureDisk(const Rivals& rivals, BlobStore& farm) {
  BigBlobs blobs(Content::kNoise);
  Blob last;
  PrintRow(Named(Content::kNoise, "up, against a synced file"),
           Compare(
               kRounds,
               [&] {
                 last = blobs.Next();
                 return Milliseconds([&] { PTXFARM_CHECK(farm.Put(last).has_value()); });
               },
               [&] { return Milliseconds([&] { WriteFileSynced(rivals.Folder("file"), last); }); }),
           0, "ms");
}

}  // namespace

void MeasureStreams(Rivals& rivals) {
  const std::string folder = rivals.Folder("streams");
  std::filesystem::create_directory(folder);
  const FarmServer in_memory(folder, {"--store", "", "--store-bytes-max", "1GiB"});
  const std::unique_ptr<BlobStore> farm = rpc::MakeRemoteBlobStore(Connect(in_memory.address()));
  const auto echo = EchoService::NewStub(rivals.Echo().grpc());
  MeasurePath(*farm, *echo, Content::kPtx);
  MeasurePath(*farm, *echo, Content::kNoise);
  MeasureDisk(rivals, *rpc::MakeRemoteBlobStore(rivals.Farm()));
}

}  // namespace ptxfarm::bench
