// TLS with certificates that openssl makes, against the client of cpp-httplib and hostile sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <httplib.h>

#include "base/file.h"
#include "telemetry/http_server.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/telemetry/raw_client.h"

namespace ptxfarm::telemetry {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class HttpTlsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (test::RunShell("command -v openssl").exit_code != 0)
      GTEST_SKIP() << "no openssl here (apt-get install openssl to have it)";
    MakeCertificate("ca", "");
    MakeCertificate("server", "ca");
    MakeCertificate("client", "ca");
    MakeCertificate("stranger", "");
  }

  // NAME.pem and NAME.key, signed by `issuer` or by itself.
  void MakeCertificate(const std::string& name, const std::string& issuer) {
    const std::string sign =
        issuer.empty() ? "" : fmt::format(" -CA {0}.pem -CAkey {0}.key", dir_ / issuer);
    const test::Ran ran =
        test::RunShell(fmt::format("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 "
                                   "-nodes -keyout {0}.key -out {0}.pem -days 1 "
                                   "-subj /CN={1} -addext subjectAltName=IP:127.0.0.1{2}",
                                   dir_ / name, name, sign));
    ASSERT_EQ(ran.exit_code, 0) << ran.output;
  }

  std::unique_ptr<HttpServer> Start(const std::string& client_ca = "") {
    HttpRoute route{.path = "/healthz", .methods = {"GET"}, .handler = [](const HttpRequest&) {
                      return HttpResponse{.body = std::string(300'000, 'x')};
                    }};
    return HttpServer::Start({.tls = {dir_ / "server.pem", dir_ / "server.key", client_ca},
                              .threads = 2,
                              .idle_timeout = 1h,
                              .header_timeout = 1h},
                             {std::move(route)})
        .value();
  }

  // "200 300000", or what failed.
  std::string Ask(const HttpServer& server, const std::string& certificate = "") {
    const std::string address = server.address();
    const int port = std::stoi(address.substr(address.rfind(':') + 1));
    httplib::SSLClient client("127.0.0.1", port,
                              certificate.empty() ? "" : dir_ / (certificate + ".pem"),
                              certificate.empty() ? "" : dir_ / (certificate + ".key"));
    client.set_ca_cert_path((dir_ / "ca.pem").c_str());
    client.enable_server_certificate_verification(true);
    client.set_keep_alive(true);
    const httplib::Result first = client.Get("/healthz");
    if (!first) return httplib::to_string(first.error());
    const httplib::Result second = client.Get("/healthz");
    if (!second) return "second: " + httplib::to_string(second.error());
    return fmt::format("{} {}", second->status, second->body.size());
  }

  const test::TempDir dir_;
};

TEST_F(HttpTlsTest, Serves) {
  const auto server = Start();
  EXPECT_THAT(server->Url(), testing::StartsWith("https://127.0.0.1:"));
  EXPECT_EQ(Ask(*server), "200 300000");
}

TEST_F(HttpTlsTest, TakesARenewedCertificateAndOutlivesABrokenOne) {
  const auto server = Start();
  EXPECT_EQ(Ask(*server), "200 300000");
  MakeCertificate("other", "");
  // The one that the new authority signed: whoever trusts the old one alone is turned away.
  MakeCertificate("server", "other");
  EXPECT_EQ(Ask(*server), httplib::to_string(httplib::Error::SSLServerVerification));
  MakeCertificate("server", "ca");
  EXPECT_EQ(Ask(*server), "200 300000");
  ASSERT_TRUE(WriteFileAtomically(dir_ / "server.pem", "half of a certifi"));
  EXPECT_EQ(Ask(*server), "200 300000") << "the old one serves until both files are right";
}

TEST_F(HttpTlsTest, AsksClientsForACertificateOfItsCa) {
  const auto server = Start(dir_ / "ca.pem");
  EXPECT_EQ(Ask(*server, "client"), "200 300000");
  EXPECT_THAT(Ask(*server), testing::Not(HasSubstr("200")));
  EXPECT_THAT(Ask(*server, "stranger"), testing::Not(HasSubstr("200")));
}

TEST_F(HttpTlsTest, PeersThatSayNothingOrNonsenseKeepNobodyWaiting) {
  const auto server = Start();
  std::vector<RawClient> silent, halfway;
  for (int i = 0; i < 40; ++i) {
    silent.emplace_back(server->address());
    halfway.emplace_back(server->address());
    halfway.back().Send(std::string("\x16\x03\x01\x02\x00\x01", 6));  // The front of a ClientHello.
  }
  RawClient plain(server->address());
  plain.Send(Get("/healthz"));
  EXPECT_THAT(plain.ReadToEnd(), testing::Not(HasSubstr("HTTP/1.1 200")));
  EXPECT_EQ(Ask(*server), "200 300000");
}

TEST_F(HttpTlsTest, SaysWhatIsWrongWithItsFiles) {
  const auto message = [&](const TlsFiles& files) {
    const Result<std::unique_ptr<TlsSource>> source = TlsSource::Make(files);
    return source ? "made" : source.error().message;
  };
  EXPECT_THAT(message({dir_ / "absent.pem", dir_ / "server.key", ""}),
              HasSubstr("read certificate " + dir_ / "absent.pem"));
  EXPECT_THAT(message({dir_ / "server.pem", dir_ / "absent.key", ""}),
              HasSubstr("read key " + dir_ / "absent.key"));
  EXPECT_THAT(message({dir_ / "server.pem", dir_ / "client.key", ""}),
              HasSubstr(dir_ / "client.key"));
  EXPECT_THAT(message({dir_ / "server.pem", dir_ / "server.key", dir_ / "server.key"}),
              HasSubstr("read certificates of " + dir_ / "server.key"));
  EXPECT_EQ(message({"", dir_ / "server.key", ""}),
            "a TLS key or client CA is given, but no certificate");
  EXPECT_EQ(message({}), "made");
}

}  // namespace
}  // namespace ptxfarm::telemetry
