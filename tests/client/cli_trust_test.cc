// What `ptxfarm` says when a server and it don't trust each other: each time one message that says
// what to do.
#include <signal.h>

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/cli_farm.h"
#include "tests/support/program.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using testing::HasSubstr;

constexpr char kMakeCertificates[] = R"(
set -e
for ca in ca other; do
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $ca.key \
    -out $ca.pem -days 2 -subj /CN=$ca
done
sign() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $1.key -out $1.csr -subj /CN=$1
  echo "subjectAltName=DNS:$3" > $1.ext
  openssl x509 -req -in $1.csr -CA $2.pem -CAkey $2.key -CAcreateserial -out $1.pem -days 2 -extfile $1.ext
}
sign server ca localhost
sign me ca me
sign stranger other me
)";

class CliTrustTest : public testing::Test {
 protected:
  void SetUp() override {
    if (RunShell("command -v openssl").exit_code != 0)
      GTEST_SKIP() << "no openssl here (apt-get install openssl to have it)";
    const Ran made = RunShell("cd " + farm_.work() + kMakeCertificates);
    ASSERT_EQ(made.exit_code, 0) << made.output;
    farm_.Write("k.ptx", SmallModule());
    farm_.Write("tokens",
                "worker-token-0123456789 worker\nteam-token-0123456789 compile "
                "team\nreader-token-0123456789 read team\n");
    farm_.Write("worker", "worker-token-0123456789\n");
    farm_.Write("team", "team-token-0123456789\n");
    farm_.Write("reader", "reader-token-0123456789\n");
    farm_.Write("wrong", "nobody-token-0123456789\n");
  }

  // Starts a farm on a port of its own, and gives "localhost:PORT".
  std::string Serve(const std::vector<std::string>& words) {
    std::vector<std::string> all = {"ptxfarm-serve", "--listen", "localhost:0", "--http", "",
                                    "--store",       ""};
    all.insert(all.end(), words.begin(), words.end());
    server_ = std::make_unique<Program>(all, farm_.environment());
    const std::optional<std::string> line =
        server_->WaitForLine("server_listening address=localhost");
    if (!line || !server_->WaitForLine("farm_ready")) return "";
    const std::string address = line->substr(line->find("localhost:"));
    return address.substr(0, address.find_first_of(" \n"));
  }

  std::string Words(const std::string& address, const std::string& options) const {
    return fmt::format("compile k.ptx -t compute_75 -o k.fatbin --attempts 2 --server {} {}",
                       address, options);
  }

  CliFarm farm_;
  std::unique_ptr<Program> server_;
};

struct TrustCase {
  const char* options;
  int exit_code;
  const char* message;
};

TEST_F(CliTrustTest, SaysWhichTokenOrCertificateIsWrong) {
  const std::string address =
      Serve({"--tls-cert", farm_.In("server.pem"), "--tls-key", farm_.In("server.key"), "--tokens",
             farm_.In("tokens"), "--worker-token-file", farm_.In("worker")});
  ASSERT_FALSE(address.empty()) << server_->output();
  const TrustCase cases[] = {
      {"--tls-ca ca.pem --token-file team", 0, "k fatbin: "},
      {"--tls-ca ca.pem --token-file wrong", 3, "give the right token with --token-file"},
      {"--tls-ca ca.pem", 3, "wants a token"},
      // What is stored it may have, and no more.
      {"--tls-ca ca.pem --token-file reader", 0, "k fatbin: hit"},
      {"--tls-ca ca.pem --token-file reader --recompile", 3, "does not allow 'compile'"},
      {"--tls-ca other.pem --token-file team", 3, "isn't signed by an authority trusted here"},
      {"--tls-ca ca.pem --tls-name elsewhere --token-file team", 3,
       "certificate is for another name"},
      {"--token-file team", 3, "--tls-ca is missing"},
      {"--tls-ca nothing.pem --token-file team", 3, "read the CA file: open nothing.pem"},
      {"--tls-ca k.ptx --token-file team", 2, "is not a PEM file"},
  };
  for (const TrustCase& one : cases) {
    const CliRan ran = farm_.Run(Words(address, one.options));
    EXPECT_EQ(ran.exit_code, one.exit_code) << one.options << "\n" << ran.err;
    EXPECT_THAT(ran.out + ran.err, HasSubstr(one.message)) << one.options;
    EXPECT_EQ(farm_.Exists("k.fatbin"), one.exit_code == 0) << one.options;
  }
}

TEST_F(CliTrustTest, ServersThatAskForACertificateGetOne) {
  const std::string address =
      Serve({"--tls-cert", farm_.In("server.pem"), "--tls-key", farm_.In("server.key"),
             "--tls-client-ca", farm_.In("ca.pem")});
  ASSERT_FALSE(address.empty()) << server_->output();
  EXPECT_EQ(
      farm_.Run(Words(address, "--tls-ca ca.pem --tls-cert me.pem --tls-key me.key")).exit_code, 0);
  const CliRan none = farm_.Run(Words(address, "--tls-ca ca.pem"));
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, HasSubstr("--tls-cert"));
  EXPECT_EQ(
      farm_.Run(Words(address, "--tls-ca ca.pem --tls-cert stranger.pem --tls-key stranger.key"))
          .exit_code,
      3);
}

TEST_F(CliTrustTest, TlsToAPlainServerIsSaidSo) {
  const std::string address = Serve({});
  ASSERT_FALSE(address.empty()) << server_->output();
  const CliRan ran = farm_.Run(Words(address, "--tls-ca ca.pem"));
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_THAT(ran.err, HasSubstr("it speaks no TLS"));
  EXPECT_EQ(farm_.Run(Words(address, "")).exit_code, 0);
}

TEST_F(CliTrustTest, AServerStoppedInTheMiddleIsSaidSo) {
  PTXFARM_NEED_TOOLKIT();
  const std::string address = Serve({"--drain-timeout", "0s"});
  ASSERT_FALSE(address.empty()) << server_->output();
  farm_.Write("slow.ptx", SlowModule());
  Program caller({"ptxfarm", "compile", farm_.In("slow.ptx"), "-t", "sm_80", "-o",
                  farm_.In("slow.cubin"), "--server", address, "--attempts", "2"},
                 farm_.environment());
  for (int i = 0; i < 3000; ++i) {
    const nlohmann::json status = farm_.Run("status --json --server " + address).Json();
    if (status.contains("queue") && status["queue"]["running_count"].get<int>() > 0) break;
  }
  server_->Signal(SIGKILL);
  EXPECT_EQ(caller.Wait(), 3);
  EXPECT_THAT(caller.output(), HasSubstr("cannot talk to " + address));
  EXPECT_FALSE(farm_.Exists("slow.cubin"));
}

}  // namespace
}  // namespace ptxfarm::test
