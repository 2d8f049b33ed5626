#include "server/http_cache/body.h"

#include <algorithm>
#include <charconv>

namespace ptxfarm::http_cache {

std::optional<u64> DeclaredBytes(const telemetry::HttpRequest& request) {
  if (!request.header("Transfer-Encoding").empty() || !request.header("Content-Encoding").empty())
    return std::nullopt;
  const std::string text = request.header("Content-Length");
  if (text.empty()) return 0;
  u64 bytes = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, bytes);
  if (error != std::errc() || rest != end) return std::nullopt;
  return bytes;
}

Result<Digest> ReadChunks(const telemetry::HttpRequest& request,
                          const std::function<Status(Chunk chunk)>& take) {
  Hasher hasher;
  std::string gathered;
  const auto flush = [&]() -> Status {
    if (gathered.empty()) return Ok{};
    Chunk chunk = MakeChunk(gathered);
    gathered.clear();
    return take(std::move(chunk));
  };
  const auto receive = [&](std::string_view piece) -> Status {
    hasher.Update(piece);
    while (take != nullptr && !piece.empty()) {
      const std::size_t count = std::min<std::size_t>(piece.size(), kChunkBytes - gathered.size());
      gathered += piece.substr(0, count);
      piece.remove_prefix(count);
      if (gathered.size() == kChunkBytes) PTXFARM_RETURN_IF_ERROR(flush());
    }
    return Ok{};
  };
  PTXFARM_RETURN_IF_ERROR(request.read_body(receive));
  if (take != nullptr) PTXFARM_RETURN_IF_ERROR(flush());
  return std::move(hasher).Finish();
}

}  // namespace ptxfarm::http_cache
