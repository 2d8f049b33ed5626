#include "base/compress.h"

#include <zstd.h>

namespace ptxfarm {

std::string ZstdCompress(std::string_view plain, int level) {
  std::string frame(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size =
      ZSTD_compress(frame.data(), frame.size(), plain.data(), plain.size(), level);
  PTXFARM_CHECK(!ZSTD_isError(size), ZSTD_getErrorName(size));
  frame.resize(size);
  frame.shrink_to_fit();
  return frame;
}

Result<std::string> ZstdDecompress(std::string_view frame, std::size_t plain_bytes) {
  const unsigned long long announced = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (announced != plain_bytes)
    return MakeError(Code::kDataLoss, "zstd frame does not hold the {} bytes expected",
                     plain_bytes);
  std::string plain(plain_bytes, '\0');
  const std::size_t size = ZSTD_decompress(plain.data(), plain.size(), frame.data(), frame.size());
  if (ZSTD_isError(size))
    return MakeError(Code::kDataLoss, "zstd frame is damaged: {}", ZSTD_getErrorName(size));
  if (size != plain_bytes)
    return MakeError(Code::kDataLoss, "zstd frame holds {} bytes, {} expected", size, plain_bytes);
  return plain;
}

}  // namespace ptxfarm
