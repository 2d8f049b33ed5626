#include "rpc/convert.h"
#include "rpc/convert_fields.h"

namespace ptxfarm::rpc {

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

v1::Chunk ToProto(const Chunk& chunk) {
  v1::Chunk message;
  message.set_encoding(chunk.encoding == Encoding::kZstd ? v1::ENCODING_ZSTD
                                                         : v1::ENCODING_IDENTITY);
  message.set_plain_size_bytes(chunk.plain_bytes);
  message.set_data(*chunk.bytes);
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
