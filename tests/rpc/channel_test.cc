#include "rpc/channel.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::rpc {
namespace {

Code CodeOf(const ChannelOptions& options) {
  const Result<Channel> channel = Channel::Make(options);
  return channel ? Code::kOk : channel.error().code;
}

TEST(ChannelTest, TakesTheFormsOfAnAddress) {
  for (const char* const good :
       {"unix:/run/f.sock", "localhost:80", "127.0.0.1:8980", "[::1]:8980"})
    EXPECT_EQ(CodeOf({.address = good}), Code::kOk) << good;
  for (const char* const bad :
       {"", "host", "host:", ":80", "host:http", "::1:80", "http://host:80", "host:123456"})
    EXPECT_EQ(CodeOf({.address = bad, .plaintext = true}), Code::kInvalidArgument) << bad;
}

TEST(ChannelTest, PlaintextToOthersMustBeAllowed) {
  EXPECT_EQ(CodeOf({.address = "build.example:8980"}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf({.address = "build.example:8980", .plaintext = true}), Code::kOk);
  EXPECT_EQ(CodeOf({.address = "build.example:8980", .tls = true}), Code::kOk);
}

TEST(ChannelTest, FilesAreReadAndJudgedAtOnce) {
  const test::TempDir dir;
  EXPECT_EQ(CodeOf({.address = "localhost:1", .tls_ca = dir / "absent"}), Code::kNotFound);
  ASSERT_TRUE(WriteFileAtomically(dir / "text", "no pem\n").has_value());
  EXPECT_EQ(CodeOf({.address = "localhost:1", .tls_ca = dir / "text"}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf({.address = "localhost:1", .tls_cert = dir / "text"}), Code::kInvalidArgument)
      << "without its key";
  EXPECT_EQ(CodeOf({.address = "localhost:1", .token_file = dir / "absent"}), Code::kNotFound);
  EXPECT_EQ(CodeOf({.address = "localhost:1", .token_file = dir / "text"}), Code::kInvalidArgument)
      << "two words";
  ASSERT_TRUE(WriteFileAtomically(dir / "token", "secret-token-1234\n").has_value());
  EXPECT_EQ(CodeOf({.address = "localhost:1", .token_file = dir / "token"}), Code::kOk);
}

TEST(ChannelTest, KnowsWhatStaysOnThisMachine) {
  EXPECT_TRUE(IsLocalAddress("unix:/x"));
  EXPECT_TRUE(IsLocalAddress("127.1.2.3:5"));
  EXPECT_TRUE(IsLocalAddress("[::1]:5"));
  EXPECT_FALSE(IsLocalAddress("0.0.0.0:5"));
  EXPECT_FALSE(IsLocalAddress("[::]:5"));
  EXPECT_FALSE(IsLocalAddress("host:5"));
}

}  // namespace
}  // namespace ptxfarm::rpc
