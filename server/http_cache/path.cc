#include "server/http_cache/path.h"

namespace ptxfarm::http_cache {
namespace {

constexpr std::size_t kHexDigits = 64;

// The hash at the end of "…/KIND/<hash>".
std::optional<Sha256> HashBehind(std::string_view kind, std::string_view path) {
  if (path.size() > kPathBytesMax || path.size() < kind.size() + kHexDigits) return std::nullopt;
  const std::string_view name = path.substr(path.size() - kHexDigits);
  if (!path.substr(0, path.size() - kHexDigits).ends_with(kind)) return std::nullopt;
  const Result<Digest> digest = ParseDigest(std::string(name) + "/0");
  if (!digest) return std::nullopt;
  return digest->sha256;
}

}  // namespace

std::optional<Sha256> BlobOfPath(std::string_view path) { return HashBehind("/cas/", path); }

bool IsClaimPath(std::string_view path) { return HashBehind("/ac/", path).has_value(); }

Sha256 ClaimKey(std::string_view tenant, std::string_view path) {
  FieldHasher hasher;
  hasher.Add("ptxfarm http cache claim").Add(tenant).Add(path);
  return std::move(hasher).Finish();
}

}  // namespace ptxfarm::http_cache
