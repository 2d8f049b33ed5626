// The cache over a real HTTP port and a real store on disk, asked with right and wrong bytes.
#include "server/http_cache/http_cache.h"

#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/http_cache/path.h"
#include "telemetry/http_server.h"
#include "tests/store/stacks.h"
#include "tests/support/temp_dir.h"
#include "tests/telemetry/raw_client.h"

namespace ptxfarm::http_cache {
namespace {

using namespace std::chrono_literals;
using telemetry::Get;
using telemetry::RawClient;
using test::Noise;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr u64 kBodyBytesMax = u64{8} << 20;

class HttpCacheTest : public testing::Test {
 protected:
  HttpCacheTest() { Open(); }
  ~HttpCacheTest() override { http_->Stop(); }

  void Open(u64 store_bytes_max = 0, telemetry::HttpServerOptions http = {}) {
    http_.reset();
    store_.reset();
    store_ = OpenStore({.path = dir_ / "store",
                        .bytes_max = store_bytes_max,
                        .memory_bytes_max = u64{1} << 20},
                       clock_)
                 .value();
    http_ = telemetry::HttpServer::Start(
                std::move(http),
                MakeRoutes({.store = *store_,
                            .spool_folder = dir_.path(),
                            .body_bytes_max = kBodyBytesMax,
                            .tenant_of = [](const telemetry::HttpRequest& request)
                                -> Result<std::string> { return request.header("x-tenant"); },
                            .observe =
                                [this](const Event& event) {
                                  const std::lock_guard lock(mutex_);
                                  events_.push_back(event);
                                }}))
                .value();
  }

  static std::string Put(const std::string& path, std::string_view body,
                         const std::string& lines = "") {
    return fmt::format("PUT {} HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n{}\r\n{}", path,
                       body.size(), lines, body);
  }
  std::string Ask(const std::string& request) const {
    RawClient client(http_->address());
    client.Send(request);
    return client.ReadResponse();
  }
  static std::string BlobPath(std::string_view bytes) { return "/cas/" + DigestOf(bytes).Hex(); }
  static std::string ClaimPath(std::string_view name) { return "/ac/" + DigestOf(name).Hex(); }
  bool Has(std::string_view bytes) const {
    const Digest digest = DigestOf(bytes);
    return store_->blobs().FindMissing({&digest, 1}).value().empty();
  }

  const test::TempDir dir_;
  SteppedClock clock_;
  std::mutex mutex_;
  std::vector<Event> events_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<telemetry::HttpServer> http_;
};

std::string BodyOf(const std::string& response) {
  return response.substr(response.find("\r\n\r\n") + 4);
}

TEST_F(HttpCacheTest, KeepsBlobsOfAnySizeOnOneConnection) {
  RawClient client(http_->address());
  const auto ask = [&](const std::string& request) {
    client.Send(request);
    return client.ReadResponse();
  };
  for (const std::string& bytes :
       {std::string(), std::string("x"), std::string(100'000, 'a'), Noise(kChunkBytes),
        Noise(kChunkBytes + 1), Noise(kBodyBytesMax), std::string(kBodyBytesMax - 1, 'b')}) {
    SCOPED_TRACE(bytes.size());
    const std::string path = BlobPath(bytes);
    EXPECT_THAT(ask(Get(path)), StartsWith("HTTP/1.1 404"));
    EXPECT_THAT(ask(Put(path, bytes)), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(ask(Put(path, bytes)), StartsWith("HTTP/1.1 200")) << "what is there already";
    const std::string got = ask(Get("/any/prefix" + path));
    EXPECT_THAT(got.substr(0, 300),
                AllOf(StartsWith("HTTP/1.1 200"),
                      HasSubstr(fmt::format("Content-Length: {}\r\n", bytes.size()))));
    EXPECT_TRUE(BodyOf(got) == bytes);
  }
}

TEST_F(HttpCacheTest, HeadTellsTheSizeAlone) {
  const std::string bytes = Noise(3000);
  Ask(Put(BlobPath(bytes), bytes));
  Ask(Put(ClaimPath("a"), bytes));
  for (const std::string& path : {BlobPath(bytes), ClaimPath("a")}) {
    RawClient client(http_->address());
    client.Send("HEAD " + path + " HTTP/1.1\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(client.ReadToEnd(),
                AllOf(StartsWith("HTTP/1.1 200"), EndsWith("\r\n\r\n"),
                      HasSubstr("Content-Length: 3000\r\n"), HasSubstr("Accept-Ranges: none\r\n")));
  }
  RawClient client(http_->address());
  client.Send("HEAD " + BlobPath("absent") + " HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.ReadToEnd(), StartsWith("HTTP/1.1 404"));
}

TEST_F(HttpCacheTest, RangesAreLeftOutOfAccount) {
  Ask(Put(BlobPath("hello"), "hello"));
  EXPECT_THAT(Ask(Get(BlobPath("hello"), "Range: bytes=1-2\r\n")),
              AllOf(StartsWith("HTTP/1.1 200"), EndsWith("\r\n\r\nhello")));
}

TEST_F(HttpCacheTest, SharesItsBlobsWithTheStore) {
  const Blob blob = MakeBlob("put by a compile");
  ASSERT_TRUE(store_->blobs().Put(blob));
  EXPECT_THAT(Ask(Get("/cas/" + blob.digest.Hex())), EndsWith("\r\n\r\nput by a compile"));
  Ask(Put(BlobPath("put over HTTP"), "put over HTTP"));
  EXPECT_EQ(store_->blobs().Get(DigestOf("put over HTTP")).value().Plain().value(),
            "put over HTTP");
}

TEST_F(HttpCacheTest, RefusesABodyThatIsNotWhatThePathSays) {
  const std::string wanted = Noise(2 * kChunkBytes, 1);
  const std::string other = Noise(2 * kChunkBytes, 2);
  for (const std::string& body : {other, wanted.substr(1), std::string()}) {
    RawClient client(http_->address());
    client.Send(Put(BlobPath(wanted), body));
    EXPECT_THAT(client.ReadResponse(),
                AllOf(StartsWith("HTTP/1.1 400"), HasSubstr(DigestOf(body).ToString()),
                      HasSubstr(DigestOf(wanted).Hex())));
    EXPECT_FALSE(Has(wanted));
    EXPECT_FALSE(Has(body));
    client.Send(Get(BlobPath(wanted)));
    EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.1 404")) << "the connection goes on";
  }
  Ask(Put(BlobPath(wanted), wanted));
  EXPECT_THAT(Ask(Put(BlobPath(wanted), other)), StartsWith("HTTP/1.1 400"))
      << "also where the right bytes are there already";
}

TEST_F(HttpCacheTest, TakesABodyWithoutALength) {
  const std::string bytes = Noise(3 * kChunkBytes + 5);
  std::string request =
      "PUT " + BlobPath(bytes) + " HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::size_t at = 0; at < bytes.size(); at += 100'000) {
    const std::string piece = bytes.substr(at, 100'000);
    request += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
  }
  request += "0\r\n\r\n";
  EXPECT_THAT(Ask(request), StartsWith("HTTP/1.1 200"));
  EXPECT_TRUE(Has(bytes));
  EXPECT_THAT(Ask("PUT " + BlobPath("a") +
                  " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n"),
              StartsWith("HTTP/1.1 400"));
}

TEST_F(HttpCacheTest, RefusesWhatIsTooLong) {
  const std::string head = fmt::format(
      " HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n", kBodyBytesMax + 1);
  for (const std::string& path : {BlobPath("a"), ClaimPath("a"), std::string("/ccache/a")}) {
    EXPECT_THAT(Ask("PUT " + path + head), StartsWith("HTTP/1.1 413"));
    // It says nothing of its length, and goes on for too long.
    RawClient client(http_->address());
    client.Send("PUT " + path + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string piece = fmt::format("{:x}\r\n{}\r\n", 1 << 20, std::string(1 << 20, 'a'));
    for (u64 sent = 0; sent <= kBodyBytesMax && !client.IsReadable(0ms); sent += 1 << 20)
      if (!client.Send(piece)) break;
    EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.1 413"));
    EXPECT_THAT(Ask(Get(path)), StartsWith("HTTP/1.1 404"));
  }
}

TEST_F(HttpCacheTest, ATornUploadLeavesNothing) {
  const std::string bytes = Noise(4 * kChunkBytes);
  for (const std::string& path : {BlobPath(bytes), ClaimPath("a")}) {
    {
      RawClient client(http_->address());
      const std::string request = Put(path, bytes);
      client.Send(std::string_view(request).substr(0, request.size() - 1));
    }
    // The upload's end is seen by another thread: its event says that it is over.
    while (true) {
      const std::lock_guard lock(mutex_);
      if (!events_.empty() && events_.back().operation == Operation::kPut) break;
    }
    EXPECT_EQ(events_.back().outcome, Outcome::kFailed);
    events_.clear();
    EXPECT_FALSE(Has(bytes));
    EXPECT_THAT(Ask(Get(path)), StartsWith("HTTP/1.1 404"));
    events_.clear();
  }
  EXPECT_EQ(store_->Figures().blobs, 0u);
}

TEST_F(HttpCacheTest, ClaimsAreReplacedRemovedAndOnesOwn) {
  for (const std::string& path :
       {ClaimPath("a"), "/prefix" + ClaimPath("a"), std::string("/ccache/ab/cdef.gh")}) {
    EXPECT_THAT(Ask(Get(path)), StartsWith("HTTP/1.1 404")) << path;
    EXPECT_THAT(Ask(Put(path, "first")), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(Ask(Get(path)), EndsWith("\r\n\r\nfirst"));
    EXPECT_THAT(Ask(Get(path, "X-Tenant: other\r\n")), StartsWith("HTTP/1.1 404"));
    EXPECT_THAT(Ask(Put(path, "")), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(Ask(Get(path)), AllOf(HasSubstr("Content-Length: 0\r\n"), EndsWith("\r\n\r\n")));
    EXPECT_THAT(Ask("DELETE " + path + " HTTP/1.1\r\nX-Tenant: other\r\n\r\n"),
                StartsWith("HTTP/1.1 404"));
    EXPECT_THAT(Ask("DELETE " + path + " HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 204"));
    EXPECT_THAT(Ask(Get(path)), StartsWith("HTTP/1.1 404"));
  }
}

TEST_F(HttpCacheTest, BlobsAreNobodysToDelete) {
  Ask(Put(BlobPath("a"), "a"));
  EXPECT_THAT(Ask("DELETE " + BlobPath("a") + " HTTP/1.1\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 405"), HasSubstr("Allow: GET, HEAD, PUT")));
  EXPECT_TRUE(Has("a"));
}

// A client can neither place a claim where the farm looks for a result, nor read a result of the
// farm as a claim.
TEST_F(HttpCacheTest, ClaimsAreNoActionResults) {
  const Sha256 action = test::ActionNumber(1);
  const Blob blob = MakeBlob("cubin");
  ASSERT_TRUE(store_->blobs().Put(blob));
  ASSERT_TRUE(store_->actions().Put(action, {.bytes = "result", .outputs = {blob.digest}}));
  EXPECT_THAT(Ask(Get("/ac/" + HexOf(action))), StartsWith("HTTP/1.1 404"));
  Ask(Put("/ac/" + HexOf(action), "a claim"));
  EXPECT_EQ(store_->actions().Get(action).value()->bytes, "result");
  Ask("DELETE /ac/" + HexOf(action) + " HTTP/1.1\r\n\r\n");
  EXPECT_EQ(store_->actions().Get(action).value()->bytes, "result");
  // And should the keys ever meet, the record isn't taken for a claim.
  const std::string path = ClaimPath("b");
  ASSERT_TRUE(
      store_->actions().Put(ClaimKey("", path), {.bytes = "result", .outputs = {blob.digest}}));
  EXPECT_THAT(Ask(Get(path)), StartsWith("HTTP/1.1 404"));
}

TEST_F(HttpCacheTest, WhatIsKeptCountsAndGoesWhenItIsTheOldest) {
  Open(/*store_bytes_max=*/u64{1} << 20);
  for (int i = 0; i < 20; ++i) {
    clock_.Advance(1s);
    const std::string bytes = Noise(100'000, static_cast<u64>(i) + 1);
    EXPECT_THAT(Ask(Put(i % 2 == 0 ? ClaimPath(std::to_string(i)) : BlobPath(bytes), bytes)),
                StartsWith("HTTP/1.1 200"));
  }
  ASSERT_TRUE(store_->Flush());
  const StoreFigures figures = store_->Figures();
  EXPECT_LE(figures.blob_bytes + figures.action_bytes, u64{1} << 20);
  EXPECT_GT(figures.evicted_blobs, 0u);
  EXPECT_THAT(Ask(Get(ClaimPath("0"))), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(Ask(Get(ClaimPath("18"))), StartsWith("HTTP/1.1 200"));
}

TEST_F(HttpCacheTest, SlowClientsDoNotHoldOthersUp) {
  Open(0, {.threads = 4, .stall_timeout = 200ms});
  // More of them than threads, each in the middle of a body that it doesn't send.
  std::vector<RawClient> slow;
  for (int i = 0; i < 8; ++i) {
    slow.emplace_back(http_->address());
    slow.back().Send("PUT " + ClaimPath("slow") + " HTTP/1.1\r\nContent-Length: 100\r\n\r\nabc");
  }
  EXPECT_THAT(Ask(Put(BlobPath("a"), "a")), StartsWith("HTTP/1.1 200"));
  for (RawClient& client : slow) EXPECT_THAT(client.ReadToEnd(), StartsWith("HTTP/1.1 503"));
}

TEST_F(HttpCacheTest, ManyClientsAtOnce) {
  constexpr int kClients = 24, kRounds = 10;
  std::vector<std::thread> clients;
  std::atomic<int> wrong = 0;
  for (int c = 0; c < kClients; ++c)
    clients.emplace_back([&, c] {
      RawClient client(http_->address());
      const auto ask = [&](const std::string& request) {
        client.Send(request);
        return client.ReadResponse();
      };
      for (int i = 0; i < kRounds; ++i) {
        // Some are the same for all, and put and read by them at the same time.
        const std::string bytes =
            Noise(50'000, static_cast<u64>(i % 2 == 0 ? i : 1000 + c * 100 + i));
        const std::string claim = ClaimPath(std::to_string(c));
        wrong += !ask(Put(BlobPath(bytes), bytes)).starts_with("HTTP/1.1 200");
        wrong += BodyOf(ask(Get(BlobPath(bytes)))) != bytes;
        wrong += !ask(Put(claim, bytes)).starts_with("HTTP/1.1 200");
        wrong += BodyOf(ask(Get(claim))) != bytes;
      }
    });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(HttpCacheTest, TellsWhatWasAsked) {
  Ask(Put(BlobPath("abc"), "abc"));
  Ask(Get(BlobPath("abc")));
  Ask(Get(ClaimPath("none")));
  Ask(Put(BlobPath("abc"), "abd"));
  ASSERT_EQ(events_.size(), 4u);
  EXPECT_EQ(events_[0].bytes, 3u);
  EXPECT_EQ(events_[1].operation, Operation::kGet);
  EXPECT_EQ(events_[1].bytes, 3u);
  EXPECT_EQ(events_[2].layout, Layout::kClaim);
  EXPECT_EQ(events_[2].outcome, Outcome::kAbsent);
  EXPECT_EQ(events_[3].outcome, Outcome::kRefused);
  EXPECT_EQ(events_[3].bytes, 0u);
}

}  // namespace
}  // namespace ptxfarm::http_cache
