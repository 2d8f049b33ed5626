#include "server/authenticator.h"

#include <algorithm>
#include <sstream>

#include "base/file.h"
#include "base/text.h"

namespace ptxfarm::server {
namespace {

constexpr u64 kFileBytesMax = 1 << 20;
constexpr std::size_t kTokenSizeMin = 16;
constexpr std::string_view kHashPrefix = "sha256:";
constexpr std::string_view kBearer = "Bearer ";

// What a role includes besides itself.
struct RoleRow {
  std::string_view role;
  std::string_view includes[3];
};
constexpr RoleRow kRoles[] = {
    {"read", {}},
    {"compile", {"read"}},
    {"worker", {"read", "compile"}},
    {"admin", {"read", "compile", "worker"}},
};

Status AddRoles(const std::string& list, std::set<std::string, std::less<>>& roles) {
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    const auto row = std::find_if(std::begin(kRoles), std::end(kRoles),
                                  [&](const RoleRow& r) { return r.role == name; });
    if (row == std::end(kRoles))
      return MakeError(Code::kInvalidArgument,
                       "'{}' is no role: write read, compile, worker or admin", Shortened(name));
    roles.insert(name);
    for (const std::string_view included : row->includes)
      if (!included.empty()) roles.emplace(included);
  }
  return Ok{};
}

Result<Sha256> HashOf(const std::string& token) {
  if (!token.starts_with(kHashPrefix)) {
    if (token.size() < kTokenSizeMin)
      return MakeError(Code::kInvalidArgument, "a token has at least {} characters", kTokenSizeMin);
    return DigestOf(token).sha256;
  }
  const Result<Digest> digest = ParseDigest(token.substr(kHashPrefix.size()) + "/0");
  if (!digest)
    return MakeError(Code::kInvalidArgument, "'sha256:' is followed by 64 hexadecimal digits");
  return digest->sha256;
}

}  // namespace

Result<Authenticator> Authenticator::Read(const std::string& path) {
  Result<std::string> text = ReadFile(path, kFileBytesMax);
  if (!text) return std::move(text).error().Wrap("read the token file");
  Authenticator authenticator;
  std::istringstream lines(*text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string token, roles, tenant, rest;
    if (!(words >> token)) continue;
    const auto refuse = [&](const std::string& why) {
      return MakeError(Code::kInvalidArgument, "{}:{}: {}", path, number, why);
    };
    if (!(words >> roles)) return refuse("a line is: TOKEN ROLE[,ROLE...] [TENANT]");
    words >> tenant;
    if (words >> rest) return refuse("there are words after the tenant");
    const Result<Sha256> hash = HashOf(token);
    if (!hash) return refuse(hash.error().message);
    Grant grant{.tenant = tenant.empty() ? "default" : tenant};
    if (const Status added = AddRoles(roles, grant.roles); !added)
      return refuse(added.error().message);
    if (!authenticator.tokens_.emplace(*hash, std::move(grant)).second)
      return refuse("this token stands on an earlier line too");
  }
  // An empty file would open the farm to everybody, which nobody means who names a file.
  if (authenticator.tokens_.empty())
    return MakeError(Code::kInvalidArgument, "{} holds no token", path);
  return authenticator;
}

Result<std::string> Authenticator::Authorize(std::string_view authorization, std::string_view peer,
                                             std::string_view role) const {
  if (tokens_.empty()) return std::string(peer.empty() ? "default" : peer);
  if (authorization.empty())
    return MakeError(Code::kUnauthenticated, "this server wants a token: name a token file");
  if (!authorization.starts_with(kBearer))
    return MakeError(Code::kUnauthenticated,
                     "the authorization metadata must be 'Bearer' and a token");
  const auto grant = tokens_.find(DigestOf(authorization.substr(kBearer.size())).sha256);
  if (grant == tokens_.end())
    return MakeError(Code::kUnauthenticated, "this token is not known here");
  if (!grant->second.roles.contains(role))
    return MakeError(Code::kPermissionDenied, "this token does not allow '{}'", role);
  return grant->second.tenant;
}

}  // namespace ptxfarm::server
