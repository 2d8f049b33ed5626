// Who is let in: TLS, certificates, tokens.
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/integration/farm_fixture.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

class TrustTest : public FarmTest {
 protected:
  void SetUp() override {}  // Needs no toolkit.

  // An authority, and certificates of it for the server and a client; and another authority with a
  // client of its own.
  void MakeCertificates() {
    const std::string script = "set -e; cd " + ShellQuote(dir_.path()) +
                               "; for ca in ca other; do openssl req -x509 -newkey ec -pkeyopt "
                               "ec_paramgen_curve:P-256 -nodes -days 2 "
                               "-subj /CN=$ca -keyout $ca.key -out $ca.pem; done; "
                               "sign() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 "
                               "-nodes -subj /CN=$1 -keyout $1.key -out $1.csr; "
                               "printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\n' > ext; "
                               "openssl x509 -req -in $1.csr -CA $2.pem -CAkey $2.key "
                               "-CAcreateserial -days 2 -extfile ext -out $1.pem; }; "
                               "sign server ca; sign friend ca; sign stranger other";
    const Ran ran = RunShell(script);
    ASSERT_EQ(ran.exit_code, 0) << ran.output;
  }

  // Starts a server on TCP; its address.
  std::string StartTcp(std::vector<std::string> options) {
    std::vector<std::string> words = {"ptxfarm-server", "--listen", "127.0.0.1:0", "--store", "",
                                      "--http",         ""};
    words.insert(words.end(), options.begin(), options.end());
    server_ = std::make_unique<Program>(std::move(words));
    const std::optional<std::string> line = server_->WaitForLine("server_listening");
    EXPECT_TRUE(line.has_value()) << server_->output();
    return line ? line->substr(line->find("address=") + 8) : "";
  }

  Code Ask(client::ConnectOptions options) {
    options.attempts_max = 1;
    options.connect_timeout = std::chrono::seconds(5);
    const auto farm = client::Client::Connect(options);
    if (!farm) return farm.error().code;
    const auto capabilities = farm->GetCapabilities();
    return capabilities ? Code::kOk : capabilities.error().code;
  }
};

TEST_F(TrustTest, TlsIsAskedForByName) {
  MakeCertificates();
  const std::string address =
      StartTcp({"--tls-cert", dir_ / "server.pem", "--tls-key", dir_ / "server.key"});
  EXPECT_EQ(Ask({.server = address, .tls_ca = dir_ / "ca.pem"}), Code::kOk);
  EXPECT_EQ(Ask({.server = address, .tls_ca = dir_ / "other.pem"}), Code::kUnauthenticated)
      << "an authority we don't trust";
  EXPECT_EQ(Ask({.server = address}), Code::kUnavailable) << "plaintext to a TLS port";
  EXPECT_EQ(Ask({.server = address, .tls_ca = dir_ / "ca.pem", .tls_name = "elsewhere.example"}),
            Code::kUnauthenticated);
}

TEST_F(TrustTest, MutualTlsLetsOnlyFriendsIn) {
  MakeCertificates();
  const std::string address = StartTcp({"--tls-cert", dir_ / "server.pem", "--tls-key",
                                        dir_ / "server.key", "--tls-client-ca", dir_ / "ca.pem"});
  const std::string ca = dir_ / "ca.pem";
  EXPECT_EQ(Ask({.server = address,
                 .tls_ca = ca,
                 .tls_cert = dir_ / "friend.pem",
                 .tls_key = dir_ / "friend.key"}),
            Code::kOk);
  EXPECT_EQ(Ask({.server = address, .tls_ca = ca}), Code::kUnavailable) << "no certificate";
  EXPECT_EQ(Ask({.server = address,
                 .tls_ca = ca,
                 .tls_cert = dir_ / "stranger.pem",
                 .tls_key = dir_ / "stranger.key"}),
            Code::kUnavailable);
}

TEST_F(TrustTest, TokensSayWhoMayDoWhat) {
  ASSERT_TRUE(
      WriteFileAtomically(dir_ / "tokens",
                          "reader-0123456789abcdef read\ncompiler-0123456789abcdef compile team\n")
          .has_value());
  for (const char* const who : {"reader", "compiler", "nobody"})
    ASSERT_TRUE(
        WriteFileAtomically(dir_ / who, std::string(who) + "-0123456789abcdef\n").has_value());
  const std::string address = StartTcp({"--tokens", dir_ / "tokens"});
  EXPECT_EQ(Ask({.server = address}), Code::kUnauthenticated);
  EXPECT_EQ(Ask({.server = address, .token_file = dir_ / "nobody"}), Code::kUnauthenticated);
  EXPECT_EQ(Ask({.server = address, .token_file = dir_ / "reader"}), Code::kOk);
  const auto compile = [&](const std::string& who) {
    const auto farm =
        client::Client::Connect({.server = address, .token_file = dir_ / who, .attempts_max = 1})
            .value();
    const auto reply = farm.Compile({.text = SmallModule("k"), .targets = {"sm_80"}});
    return reply ? Code::kOk : reply.error().code;
  };
  EXPECT_EQ(compile("reader"), Code::kPermissionDenied);
  EXPECT_EQ(compile("compiler"), Code::kUnavailable) << "let in, though no worker is there";
  const auto farm = client::Client::Connect(
                        {.server = address, .token_file = dir_ / "compiler", .attempts_max = 1})
                        .value();
  EXPECT_EQ(farm.GetQueue().error().code, Code::kPermissionDenied);
}

TEST_F(TrustTest, ServersThatWouldBeOpenByMistakeDontStart) {
  const auto refuses = [&](std::vector<std::string> options, const std::string& word) {
    std::vector<std::string> words = {"ptxfarm-server", "--store", "", "--http", ""};
    words.insert(words.end(), options.begin(), options.end());
    Program server(std::move(words));
    EXPECT_EQ(server.Wait(), 3) << word;
    EXPECT_NE(server.output().find(word), std::string::npos) << server.output();
  };
  refuses({"--listen", "0.0.0.0:0"}, "encryption");
  refuses({"--listen", "nonsense"}, "nonsense");
  refuses({"--listen", "127.0.0.1:0", "--tls-cert", dir_ / "absent", "--tls-key", dir_ / "absent"},
          "absent");
  refuses({"--listen", "127.0.0.1:0", "--tls-cert", dir_ / "absent"}, "--tls-key");
  ASSERT_TRUE(WriteFileAtomically(dir_ / "empty", "").has_value());
  refuses({"--listen", "127.0.0.1:0", "--tokens", dir_ / "empty"}, "no token");
}

}  // namespace
}  // namespace ptxfarm::test
