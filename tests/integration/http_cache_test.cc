// Real clients of the HTTP cache: ccache and Bazel, against a server of its own process.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>

#include "base/file.h"
#include "tests/integration/farm_fixture.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using testing::HasSubstr;

constexpr const char* kTokens =
    "reader-0123456789abc read team\n"
    "writer-0123456789abc compile team\n"
    "others-0123456789abc compile others\n";

class HttpCacheClientsTest : public FarmTest {
 protected:
  void SetUp() override {}  // Needs no toolkit.

  void StartCache(std::vector<std::string> options = {}) {
    options.insert(options.end(), {"--http", "127.0.0.1:0", "--http-cache"});
    StartServer(std::move(options));
    const std::optional<std::string> line = server_->WaitForLine("page_listening");
    ASSERT_TRUE(line.has_value()) << server_->output();
    host_ = line->substr(line->find("://") + 3);
  }
  void StartCacheWithTokens() {
    Write("tokens", kTokens);
    StartCache({"--tokens", dir_ / "tokens"});
  }

  void Write(const std::string& name, std::string_view text) const {
    const std::filesystem::path path(dir_ / name);
    std::filesystem::create_directories(path.parent_path());
    ASSERT_TRUE(WriteFileAtomically(path, text));
  }
  std::string Url(const std::string& user = "") const {
    return "http://" + (user.empty() ? "" : user + "@") + host_;
  }
  // The sum of the metric's series that contain `labels`.
  int Count(const std::string& labels) const {
    const std::string text =
        RunShell("curl -s -H 'Authorization: Bearer reader-0123456789abc' " + Url() + "/metrics")
            .output;
    int count = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("ptxfarm_server_http_cache_requests_total{") &&
          line.find(labels) != std::string::npos)
        count += std::atoi(line.c_str() + line.rfind(' '));
    return count;
  }

  std::string host_;  // "127.0.0.1:43211"
};

TEST_F(HttpCacheClientsTest, TokensAndTlsOfThePortHoldForTheCache) {
  Write("tokens", kTokens);
  const Ran made = RunShell(fmt::format(
      "cd {} && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
      "-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout key -out cert",
      dir_.path()));
  ASSERT_EQ(made.exit_code, 0) << made.output;
  StartCache({"--tokens", dir_ / "tokens", "--http-tls-cert", dir_ / "cert", "--http-tls-key",
              dir_ / "key"});
  const std::string digest = DigestOf("hello").Hex();
  const auto ask = [&](const std::string& words) {
    return RunShell(
               fmt::format("curl -s --cacert {}/cert -w ' %{{http_code}}' https://{}/cas/{} {}",
                           dir_.path(), host_, digest, words))
        .output;
  };
  const std::string reader = "-H 'Authorization: Bearer reader-0123456789abc' ";
  const std::string writer = "-u any:writer-0123456789abc ";
  EXPECT_THAT(ask("-X PUT -d hello"), testing::EndsWith(" 401"));
  EXPECT_THAT(ask(reader + "-X PUT -d hello"), testing::EndsWith(" 403"));
  EXPECT_EQ(ask(writer + "-X PUT -d hello"), " 200");
  EXPECT_EQ(ask(reader), "hello 200");
  EXPECT_THAT(ask(""), testing::EndsWith(" 401"));
}

TEST_F(HttpCacheClientsTest, IsNotOpenedToOtherMachinesWithoutEncryption) {
  Program server({"ptxfarm-server", "--listen", address(), "--store", "", "--http", "0.0.0.0:0",
                  "--http-cache"});
  EXPECT_NE(server.Wait(), 0);
  EXPECT_THAT(server.output(), HasSubstr("without encryption"));
}

// ---- ccache

class CcacheTest : public HttpCacheClientsTest {
 protected:
  void SetUp() override {
    if (RunShell("ccache --version").exit_code != 0) GTEST_SKIP() << "no ccache here";
    for (int i = 0; i < kFiles; ++i)
      Write(fmt::format("f{}.c", i), fmt::format("int f{0}(int x) {{ return x + {0}; }}\n", i));
  }

  // Compiles all files as a machine with an empty cache of its own; what ccache says of it.
  std::string Build(const std::string& storage, bool reset_local = true) const {
    if (reset_local) std::filesystem::remove_all(dir_ / "ccache");
    const std::string environment = fmt::format(
        "export CCACHE_DIR={0}/ccache CCACHE_CONFIGPATH=/dev/null CCACHE_NODIRECT= "
        "CCACHE_REMOTE_STORAGE='{1}'; cd {0}; ccache -z >/dev/null; ",
        dir_.path(), storage);
    const Ran built =
        RunShell(environment +
                 "for f in f*.c; do ccache cc -c $f -o ${f%.c}.o || exit 1; done; ccache "
                 "--print-stats");
    EXPECT_EQ(built.exit_code, 0) << built.output;
    return built.output;
  }
  static int Statistic(const std::string& stats, const std::string& name) {
    const std::size_t at = stats.find("\n" + name + "\t");
    return at == std::string::npos ? 0 : std::atoi(stats.c_str() + at + name.size() + 2);
  }

  static constexpr int kFiles = 2;
};

TEST_F(CcacheTest, SecondMachineHitsInEveryLayout) {
  StartCache();
  for (const char* const layout : {"|layout=bazel", "/ccache|layout=flat", "/ccache|layout=subdirs",
                                   "/some/prefix|layout=bazel"}) {
    SCOPED_TRACE(layout);
    const std::string first = Build(Url() + layout);
    EXPECT_EQ(Statistic(first, "cache_miss"), kFiles) << first;
    EXPECT_EQ(Statistic(first, "remote_storage_error"), 0) << first;
    const std::string second = Build(Url() + layout);
    EXPECT_EQ(Statistic(second, "cache_miss"), 0) << second;
    EXPECT_EQ(Statistic(second, "direct_cache_hit") + Statistic(second, "preprocessed_cache_hit"),
              kFiles)
        << second;
    EXPECT_EQ(Statistic(second, "remote_storage_error"), 0) << second;
  }
}

TEST_F(CcacheTest, TokensOfAddressesAreTaken) {
  StartCacheWithTokens();
  const std::string layout = "|layout=bazel";
  // Without one, or with a wrong one, ccache compiles and says nothing; nothing is stored.
  for (const char* const user : {"", "user:wrong-0123456789abc"}) {
    const std::string stats = Build(Url(user) + layout);
    EXPECT_EQ(Statistic(stats, "cache_miss"), kFiles) << stats;
    EXPECT_GT(Statistic(stats, "remote_storage_error"), 0) << stats;
  }
  EXPECT_EQ(Count("operation=\"put\""), 0);
  // A reader's are not taken, a writer's are, for readers of the same tenant and no others.
  Build(Url("user:reader-0123456789abc") + layout);
  EXPECT_EQ(Count("operation=\"put\""), 0);
  Build(Url("user:writer-0123456789abc") + layout);
  EXPECT_GT(Count("operation=\"put\",result=\"ok\""), 0);
  const std::string reader = Build(Url("user:reader-0123456789abc") + layout);
  EXPECT_EQ(Statistic(reader, "cache_miss"), 0) << reader;
  const std::string others = Build(Url("user:others-0123456789abc") + layout);
  EXPECT_EQ(Statistic(others, "cache_miss"), kFiles) << others;
}

TEST_F(CcacheTest, BuildsGoOnWithoutTheServer) {
  StartCache();
  Build(Url() + "|layout=bazel");
  server_->Signal(SIGKILL);
  server_->Wait();
  EXPECT_EQ(Statistic(Build(Url() + "|layout=bazel"), "cache_miss"), kFiles);
}

TEST_F(CcacheTest, WhatWasStoredOutlivesTheServersDeath) {
  StartCache();
  Build(Url() + "|layout=bazel");
  server_->Signal(SIGKILL);
  server_->Wait();
  StartCache();
  EXPECT_EQ(Statistic(Build(Url() + "|layout=bazel"), "cache_miss"), 0);
}

// ---- Bazel

class BazelTest : public HttpCacheClientsTest {
 protected:
  void SetUp() override {
    const char* const named = std::getenv("PTXFARM_BAZEL");
    const char* const source = std::getenv("PTXFARM_SOURCE");
    program_ = named != nullptr ? named : std::string(source) + "/build/tools/bazel";
    if (::access(program_.c_str(), X_OK) != 0)
      GTEST_SKIP() << "no Bazel at " << program_ << "; './dev test' fetches it where npm is";
    std::string build;
    for (int i = 0; i < kActions; ++i)
      build += fmt::format(
          "genrule(name = \"r{0}\", srcs = [\"in.txt\"], outs = [\"out{0}.txt\"],\n"
          "        cmd = \"cat $(SRCS) > $@; echo {0} >> $@; head -c 3000000 /dev/zero >> $@\")\n",
          i);
    build += "filegroup(name = \"all\", srcs = [";
    for (int i = 0; i < kActions; ++i) build += fmt::format("\":r{}\", ", i);
    Write("ws/BUILD", build + "])\n");
    Write("ws/WORKSPACE", "");
    Write("ws/in.txt", "text\n");
  }
  void TearDown() override {
    if (!program_.empty()) Bazel("shutdown");
    // Bazel takes the right to write from what it unpacks, and with it ours to remove it.
    RunShell("chmod -R u+w " + dir_.path());
  }

  Ran Bazel(const std::string& words) const {
    return RunShell(
        fmt::format("cd {0}/ws && HOME={0} {1} --max_idle_secs=60 --output_user_root={0}/out "
                    "--nohome_rc --nosystem_rc {2} 2>&1",
                    dir_.path(), program_, words));
  }
  std::string Build(const std::string& url) const {
    EXPECT_EQ(Bazel("clean").exit_code, 0);
    const Ran built = Bazel("build //:all --spawn_strategy=local --remote_http_cache=" + url);
    EXPECT_EQ(built.exit_code, 0) << built.output;
    return built.output;
  }

  static constexpr int kActions = 5;
  std::string program_;
};

TEST_F(BazelTest, SecondBuildIsAllRemoteHits) {
  StartCacheWithTokens();
  const std::string url = Url("bazel:writer-0123456789abc") + "/instance";
  EXPECT_THAT(Build(url), HasSubstr(fmt::format("{0} processes: {0} local.", kActions)));
  const std::string bytes = ReadFile(dir_ / "ws/bazel-bin/out3.txt", 4 << 20).value();
  const int stored = Count("operation=\"put\",result=\"ok\"");
  EXPECT_GT(stored, 2 * kActions) << "each action's result, and its outputs";

  EXPECT_THAT(Build(url), HasSubstr(fmt::format("{0} processes: {0} remote cache hit.", kActions)));
  EXPECT_EQ(ReadFile(dir_ / "ws/bazel-bin/out3.txt", 4 << 20).value(), bytes);
  EXPECT_EQ(Count("operation=\"put\",result=\"ok\""), stored) << "nothing was made anew";
  EXPECT_EQ(Count("result=\"failed\""), 0);
  EXPECT_EQ(Count("result=\"refused\""), 0);

  // Another prefix is another world of results, over the same blobs.
  EXPECT_THAT(Build(Url("bazel:writer-0123456789abc") + "/other"),
              HasSubstr(fmt::format("{0} processes: {0} local.", kActions)));
}

// Blobs are evicted for themselves: an action's result may name some that are gone.
TEST_F(BazelTest, AnActionWhoseBlobsAreGoneIsDoneAnew) {
  StartCache();
  ASSERT_EQ(Bazel("build //:all --spawn_strategy=local --disk_cache=" + dir_ / "disk").exit_code,
            0);
  const Ran put =
      RunShell(fmt::format("cd {}/disk && for f in $(find . -name 'ac_*'); do curl -sf -T $f "
                           "{}/ac/${{f#./ac_}} && echo put; done",
                           dir_.path(), Url()));
  ASSERT_THAT(put.output, HasSubstr("put\n"))
      << "Bazel's folder of this version holds them as ac_…";
  EXPECT_THAT(Build(Url()), HasSubstr(fmt::format("{0} processes: {0} local.", kActions)));
  EXPECT_GE(Count("layout=\"claim\",operation=\"get\",result=\"ok\""), kActions);
}

}  // namespace
}  // namespace ptxfarm::test
