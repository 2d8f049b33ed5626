#include "server/http_cache/path.h"

#include <gtest/gtest.h>

namespace ptxfarm::http_cache {
namespace {

constexpr const char* kHash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

TEST(PathTest, TellsBlobsAndClaimsFromTheRest) {
  struct Case {
    std::string path;
    bool is_blob, is_claim;
  };
  const std::string hash = kHash;
  std::string upper = hash;
  upper[2] = 'F';
  for (const Case& c : std::vector<Case>{
           {"/cas/" + hash, true, false},
           {"/ac/" + hash, false, true},
           {"/any/prefix/cas/" + hash, true, false},
           {"/any/prefix/ac/" + hash, false, true},
           {"/ac/cas/" + hash, true, false},
           {"//cas/" + hash, true, false},
           {"cas/" + hash, false, false},
           {"/xcas/" + hash, false, false},
           {"/cas/" + hash.substr(1), false, false},
           {"/cas/" + hash + "0", false, false},
           {"/cas/" + hash + "/", false, false},
           {"/cas/" + upper, false, false},
           {"/cas/", false, false},
           {"/", false, false},
           {"", false, false},
           {std::string(kPathBytesMax, '/') + "/cas/" + hash, false, false},
       }) {
    EXPECT_EQ(BlobOfPath(c.path).has_value(), c.is_blob) << c.path;
    EXPECT_EQ(IsClaimPath(c.path), c.is_claim) << c.path;
  }
  EXPECT_EQ(HexOf(BlobOfPath("/x/cas/" + hash).value()), hash);
}

TEST(PathTest, ClaimsAreKeptApartByTenantAndPath) {
  const std::string path = std::string("/ac/") + kHash;
  EXPECT_EQ(ClaimKey("a", path), ClaimKey("a", path));
  EXPECT_NE(ClaimKey("a", path), ClaimKey("b", path));
  EXPECT_NE(ClaimKey("a", path), ClaimKey("a", "/x" + path));
  EXPECT_NE(ClaimKey("a", "b" + path), ClaimKey("ab", path));
}

}  // namespace
}  // namespace ptxfarm::http_cache
