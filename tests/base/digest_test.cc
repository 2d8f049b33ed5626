#include "base/digest.h"

#include <gtest/gtest.h>

namespace ptxfarm {
namespace {

TEST(DigestTest, IsSha256) {
  // FIPS 180-4's example for "abc".
  EXPECT_EQ(DigestOf("abc").ToString(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad/3");
}

TEST(DigestTest, PiecesMakeTheWhole) {
  Hasher hasher;
  hasher.Update("a");
  hasher.Update("");
  hasher.Update("bc");
  EXPECT_EQ(std::move(hasher).Finish(), DigestOf("abc"));
}

TEST(DigestTest, ReadsItsOwnText) {
  const Digest digest = DigestOf("x");
  EXPECT_EQ(ParseDigest(digest.ToString()).value(), digest);
}

TEST(DigestTest, RefusesOtherTexts) {
  const std::string good = DigestOf("x").ToString();
  for (const std::string& bad :
       {std::string(), good.substr(1), good.substr(0, 65), good + "x", "G" + good.substr(1),
        good.substr(0, 64), good.substr(0, 65) + "99999999999999999999999",
        good.substr(0, 65) + "-1"})
    EXPECT_EQ(ParseDigest(bad).error().code, Code::kInvalidArgument) << bad;
}

TEST(FieldHasherTest, KeepsFieldsApart) {
  const auto of = [](std::string_view a, std::string_view b) {
    FieldHasher hasher;
    hasher.Add(a).Add(b);
    return std::move(hasher).Finish();
  };
  EXPECT_NE(of("ab", "c"), of("a", "bc"));
  EXPECT_EQ(of("ab", "c"), of("ab", "c"));
}

}  // namespace
}  // namespace ptxfarm
