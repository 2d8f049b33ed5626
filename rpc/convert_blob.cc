#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "rpc/convert.h"
#include "rpc/convert_fields.h"

namespace ptxfarm::rpc {
namespace {

using google::protobuf::io::CodedOutputStream;

// Protocol Buffers' encoding: a field's number and wire type in one number.
constexpr u32 VarintTag(int field) { return static_cast<u32>(field) << 3; }
constexpr u32 LengthTag(int field) { return static_cast<u32>(field) << 3 | 2; }

v1::Encoding EncodingOf(const Chunk& chunk) {
  return chunk.encoding == Encoding::kZstd ? v1::ENCODING_ZSTD : v1::ENCODING_IDENTITY;
}

// A slice that keeps the bytes alive instead of copying them.
grpc::Slice Sharing(std::shared_ptr<const std::string> bytes) {
  auto* const owner = new std::shared_ptr<const std::string>(std::move(bytes));
  return grpc::Slice(
      const_cast<char*>((*owner)->data()), (*owner)->size(),
      [](void* kept) { delete static_cast<std::shared_ptr<const std::string>*>(kept); }, owner);
}

}  // namespace

std::string Sha256ToProto(const Sha256& sha256) {
  return std::string(reinterpret_cast<const char*>(sha256.data()), sha256.size());
}

Result<Sha256> Sha256FromProto(const std::string& bytes, std::string_view field) {
  Sha256 sha256;
  if (bytes.size() != sha256.size())
    return MakeError(Code::kInvalidArgument, "{} has {} bytes, a SHA-256 has 32", field,
                     bytes.size());
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(sha256.data()));
  return sha256;
}

v1::Digest ToProto(const Digest& digest) {
  v1::Digest message;
  message.set_sha256(Sha256ToProto(digest.sha256));
  message.set_size_bytes(digest.size_bytes);
  return message;
}

Result<Digest> FromProto(const v1::Digest& message) {
  PTXFARM_ASSIGN_OR_RETURN(const Sha256 sha256, Sha256FromProto(message.sha256(), "digest.sha256"));
  return Digest{sha256, message.size_bytes()};
}

void FillProto(v1::Chunk& message, const Chunk& chunk) {
  message.set_encoding(EncodingOf(chunk));
  message.set_plain_size_bytes(chunk.plain_bytes);
  message.set_data(*chunk.bytes);
}

v1::Chunk ToProto(const Chunk& chunk) {
  v1::Chunk message;
  FillProto(message, chunk);
  return message;
}

Result<Chunk> FromProto(v1::Chunk&& message) {
  PTXFARM_ASSIGN_OR_RETURN(const Encoding encoding,
                           EnumFromProto(message.encoding(), Encoding::kZstd, "chunk.encoding"));
  Chunk chunk{.encoding = encoding,
              .plain_bytes = message.plain_size_bytes(),
              .bytes = std::make_shared<const std::string>(std::move(*message.mutable_data()))};
  PTXFARM_RETURN_IF_ERROR(CheckShape(chunk));
  return chunk;
}

std::string BytesOf(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Dump(&slices).ok()) return bytes;  // Nothing was sent.
  for (const grpc::Slice& slice : slices)
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return bytes;
}

Result<Digest> ParseDownloadBlobRequest(const std::string& bytes) {
  v1::DownloadBlobRequest message;
  if (!message.ParseFromString(bytes))
    return MakeError(Code::kInvalidArgument, "the request is no DownloadBlobRequest");
  return FromProto(message.digest());
}

grpc::ByteBuffer DownloadBlobResponseBytes(const Chunk& chunk) {
  std::string fields;
  {
    google::protobuf::io::StringOutputStream stream(&fields);
    CodedOutputStream out(&stream);
    out.WriteTag(VarintTag(v1::Chunk::kEncodingFieldNumber));
    out.WriteVarint32(EncodingOf(chunk));
    out.WriteTag(VarintTag(v1::Chunk::kPlainSizeBytesFieldNumber));
    out.WriteVarint64(chunk.plain_bytes);
    out.WriteTag(LengthTag(v1::Chunk::kDataFieldNumber));
    out.WriteVarint64(chunk.bytes->size());
  }
  std::string head;
  {
    google::protobuf::io::StringOutputStream stream(&head);
    CodedOutputStream out(&stream);
    out.WriteTag(LengthTag(v1::DownloadBlobResponse::kChunkFieldNumber));
    out.WriteVarint64(fields.size() + chunk.bytes->size());
    out.WriteString(fields);
  }
  const grpc::Slice slices[] = {grpc::Slice(head), Sharing(chunk.bytes)};
  return grpc::ByteBuffer(slices, std::size(slices));
}

v1::InlineBlob ToProto(const Blob& blob) {
  v1::InlineBlob message;
  *message.mutable_digest() = ToProto(blob.digest);
  for (const Chunk& chunk : blob.chunks) *message.add_chunks() = ToProto(chunk);
  return message;
}

Result<Blob> FromProto(v1::InlineBlob&& message) {
  PTXFARM_ASSIGN_OR_RETURN(const Digest digest, FromProto(message.digest()));
  Blob blob{.digest = digest};
  PTXFARM_RETURN_IF_ERROR(ReadList(*message.mutable_chunks(), blob.chunks,
                                   [](v1::Chunk&& chunk) { return FromProto(std::move(chunk)); }));
  return blob;
}

}  // namespace ptxfarm::rpc
