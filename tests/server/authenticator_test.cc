#include "server/authenticator.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::server {
namespace {

class AuthenticatorTest : public testing::Test {
 protected:
  Result<Authenticator> Read(const std::string& text) {
    EXPECT_TRUE(WriteFileAtomically(dir_ / "tokens", text).has_value());
    return Authenticator::Read(dir_ / "tokens");
  }
  test::TempDir dir_;
};

constexpr char kToken[] = "0123456789abcdef-token";

TEST_F(AuthenticatorTest, WithoutTokensEverybodyMayAndTheCertificateIsTheTenant) {
  const Authenticator open;
  EXPECT_EQ(open.Authorize("", "", "admin").value(), "default");
  EXPECT_EQ(open.Authorize("", "ci.example", "compile").value(), "ci.example");
}

TEST_F(AuthenticatorTest, RolesIncludeSmallerOnes) {
  const Authenticator a =
      Read(std::string("# comment\n\n") + kToken + " compile team-a # its key\n").value();
  const std::string header = std::string("Bearer ") + kToken;
  EXPECT_EQ(a.Authorize(header, "", "compile").value(), "team-a");
  EXPECT_EQ(a.Authorize(header, "", "read").value(), "team-a");
  EXPECT_EQ(a.Authorize(header, "", "worker").error().code, Code::kPermissionDenied);
  EXPECT_EQ(a.Authorize(header, "", "admin").error().code, Code::kPermissionDenied);
}

TEST_F(AuthenticatorTest, NoTokenAndWrongTokensAreToldApartFromForbidden) {
  const Authenticator a = Read(std::string(kToken) + " admin\n").value();
  EXPECT_EQ(a.Authorize("", "ci.example", "read").error().code, Code::kUnauthenticated);
  EXPECT_EQ(a.Authorize("Bearer other-token-of-16", "", "read").error().code,
            Code::kUnauthenticated);
  EXPECT_EQ(a.Authorize(kToken, "", "read").error().code, Code::kUnauthenticated);
}

TEST_F(AuthenticatorTest, AHashStandsForItsToken) {
  const Authenticator a = Read("sha256:" + DigestOf(kToken).Hex() + " read,worker w\n").value();
  EXPECT_EQ(a.Authorize(std::string("Bearer ") + kToken, "", "worker").value(), "w");
}

TEST_F(AuthenticatorTest, BadFilesNameTheLine) {
  for (const char* const bad :
       {"short read", "0123456789abcdef", "0123456789abcdef boss", "0123456789abcdef read a b",
        "sha256:12 read", "0123456789abcdef read\n0123456789abcdef admin"}) {
    const Result<Authenticator> read = Read(bad);
    ASSERT_FALSE(read.has_value()) << bad;
    EXPECT_NE(read.error().message.find("tokens:"), std::string::npos) << read.error().message;
  }
  EXPECT_FALSE(Read("# nothing\n").has_value());
  EXPECT_EQ(Authenticator::Read(dir_ / "absent").error().code, Code::kNotFound);
}

}  // namespace
}  // namespace ptxfarm::server
