#include "toolchain/object/fatbin/compression.h"

#include <lz4.h>
#include <lz4hc.h>
#include <zstd.h>

#include "base/compress.h"
#include "toolchain/object/limits.h"

namespace ptxfarm::object::fatbin {
namespace {

constexpr int kZstdLevelDefault = 5;
constexpr int kZstdLevelSize = 19;
// The toolkit's LZ4 1.10 has an encoder for its level 1 that 1.9 lacks; level 3 comes nearest to
// its sizes (measured: 6 % smaller to 12 % larger, where 1.9's own level 1 makes up to 24 %
// larger).
constexpr int kLz4Level = 3;

// Most bytes that one compressed byte can stand for: a run-length block of zstd is 4 bytes for 128
// KiB, a match length byte of LZ4 stands for 255. A size beyond that is a lie, and found before we
// allocate for it.
constexpr u64 kZstdRatioMax = (u64{128} << 10) / 4;
constexpr u64 kLz4RatioMax = 255;

Result<std::string> Unzstd(std::string_view packed, u64 plain_bytes) {
  // The size in the frame is optional, but must be right where it stands.
  const unsigned long long announced = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (announced == ZSTD_CONTENTSIZE_ERROR ||
      (announced != ZSTD_CONTENTSIZE_UNKNOWN && announced != plain_bytes))
    return MakeError(Code::kDataLoss, "zstd frame does not hold the {} bytes that its member says",
                     plain_bytes);
  std::string plain(plain_bytes, '\0');
  const std::size_t size =
      ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size());
  if (ZSTD_isError(size))
    return MakeError(Code::kDataLoss, "zstd frame is damaged: {}", ZSTD_getErrorName(size));
  if (size != plain_bytes)
    return MakeError(Code::kDataLoss, "zstd frame holds {} bytes, its member says {}", size,
                     plain_bytes);
  return plain;
}

Result<std::string> Unlz4(std::string_view packed, u64 plain_bytes) {
  std::string plain(plain_bytes, '\0');
  // Both sizes are below kMemberBytesMax and so fit an int.
  const int size = LZ4_decompress_safe(packed.data(), plain.data(), static_cast<int>(packed.size()),
                                       static_cast<int>(plain.size()));
  if (size < 0) return MakeError(Code::kDataLoss, "LZ4 block is damaged");
  if (static_cast<u64>(size) != plain_bytes)
    return MakeError(Code::kDataLoss, "LZ4 block holds {} bytes, its member says {}", size,
                     plain_bytes);
  return plain;
}

}  // namespace

std::string_view CompressionName(Compression compression) {
  switch (compression) {
    case Compression::kNone: return "stored";
    case Compression::kZstd: return "zstd";
    case Compression::kLz4: return "lz4";
  }
  return "";
}

std::string Compress(std::string_view plain, CompressMode mode) {
  PTXFARM_CHECK(mode != CompressMode::kNone && plain.size() <= kMemberBytesMax.value);
  if (mode != CompressMode::kSpeed)
    return ZstdCompress(plain, mode == CompressMode::kSize ? kZstdLevelSize : kZstdLevelDefault);
  const int plain_bytes = static_cast<int>(plain.size());
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(plain_bytes)), '\0');
  const int size = LZ4_compress_HC(plain.data(), packed.data(), plain_bytes,
                                   static_cast<int>(packed.size()), kLz4Level);
  PTXFARM_CHECK(size > 0, "LZ4_compress_HC failed on a buffer of the size that it asks for");
  packed.resize(static_cast<std::size_t>(size));
  return packed;
}

Result<std::string> Decompress(std::string_view packed, Compression compression, u64 plain_bytes) {
  const u64 ratio_max = compression == Compression::kZstd ? kZstdRatioMax : kLz4RatioMax;
  for (const u64 bytes : {u64{packed.size()}, plain_bytes})
    if (bytes > kMemberBytesMax.value) return kMemberBytesMax.Exceeded("fatbin member", bytes);
  if (plain_bytes > packed.size() * ratio_max)
    return MakeError(Code::kDataLoss, "{} bytes can't hold the {} that their member says",
                     packed.size(), plain_bytes);
  switch (compression) {
    case Compression::kNone: break;
    case Compression::kZstd: return Unzstd(packed, plain_bytes);
    case Compression::kLz4: return Unlz4(packed, plain_bytes);
  }
  return std::string(packed);
}

}  // namespace ptxfarm::object::fatbin
