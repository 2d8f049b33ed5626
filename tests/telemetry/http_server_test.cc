#include "telemetry/http_server.h"

#include <sys/socket.h>

#include <future>
#include <latch>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/digest.h"
#include "tests/telemetry/raw_client.h"

namespace ptxfarm::telemetry {
namespace {

using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

HttpRoute Health() {
  return {.path = "/healthz",
          .methods = {"GET"},
          .handler = [](const HttpRequest&) { return HttpResponse{.body = "ok\n"}; },
          .is_open = true,
          .is_urgent = true};
}

// Answers with what it saw of the request.
HttpRoute Echo(u64 body_bytes_max) {
  return {.path = "/echo/",
          .methods = {"GET", "PUT", "POST"},
          .handler =
              [](const HttpRequest& request) {
                const Result<std::string> body = ReadBody(request);
                if (!body) return ErrorResponse(body.error());
                const auto x = request.parameters.find("x");
                return HttpResponse{
                    .body = fmt::format("{} {} x={} h={} body={}", request.method, request.path,
                                        x == request.parameters.end() ? "" : x->second,
                                        request.header("x-test"), *body)};
              },
          .body_bytes_max = body_bytes_max};
}

std::unique_ptr<HttpServer> StartServer(std::vector<HttpRoute> routes,
                                        HttpServerOptions options = {}) {
  return HttpServer::Start(std::move(options), std::move(routes)).value();
}

TEST(HttpServerTest, AnswersByRoute) {
  const auto server = StartServer({Health(), Echo(100)});
  RawClient client(server->address());
  client.Send(Get("/echo/a%20b?x=1&y=2", "X-Test: seen\r\n"));
  EXPECT_THAT(client.ReadResponse(), EndsWith("\r\n\r\nGET /echo/a b x=1 h=seen body="));
  client.Send("HEAD /healthz HTTP/1.1\r\nConnection: close\r\n\r\n");
  const std::string head = client.ReadToEnd();
  EXPECT_THAT(head, testing::AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("Content-Length: 3\r\n"),
                                   EndsWith("\r\n\r\n")));
}

TEST(HttpServerTest, KeepsTheConnectionForMoreRequests) {
  const auto server = StartServer({Health(), Echo(100)});
  RawClient client(server->address());
  for (int i = 0; i < 20; ++i) {
    client.Send("PUT /echo/k HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
    EXPECT_THAT(client.ReadResponse(), EndsWith("PUT /echo/k x= h= body=abc"));
  }
}

TEST(HttpServerTest, AnswersRequestsThatCameTogetherInTheirOrder) {
  const auto server = StartServer({Health(), Echo(100)});
  RawClient client(server->address());
  client.Send(Get("/echo/1") + "PUT /echo/2 HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi" +
              Get("/echo/3"));
  EXPECT_THAT(client.ReadResponse(), HasSubstr("GET /echo/1"));
  EXPECT_THAT(client.ReadResponse(), HasSubstr("PUT /echo/2 x= h= body=hi"));
  EXPECT_THAT(client.ReadResponse(), HasSubstr("GET /echo/3"));
}

struct Answer {
  const char* name;
  std::string request;
  const char* status;
  bool closes;
};

// What must not reach a handler, or be taken for another request.
const Answer kAnswers[] = {
    {"NoRoute", Get("/nothing"), "404", false},
    {"RootIsNoPrefix", Get("/healthz/x"), "404", false},
    {"OtherMethod", "POST /healthz HTTP/1.1\r\n\r\n", "405", false},
    {"UnknownMethod", "BREW /healthz HTTP/1.1\r\n\r\n", "400", true},
    {"Trace", "TRACE /healthz HTTP/1.1\r\n\r\n", "405", false},
    {"NotHttp", "hello\r\n\r\n", "400", true},
    {"OtherVersion", "GET /healthz HTTP/3.0\r\n\r\n", "400", true},
    {"BodyTooLong", "PUT /echo/x HTTP/1.1\r\nContent-Length: 101\r\n\r\n", "413", true},
    {"HugeBody", "PUT /echo/x HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "413",
     true},
    {"ChunksTooLong",
     "PUT /echo/x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + std::string(101, 'x') +
         "\r\n0\r\n\r\n",
     "413", true},
    {"ChunkMalformed", "PUT /echo/x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "503",
     true},
    {"UnreadBody", "POST /healthz HTTP/1.1\r\nContent-Length: 60\r\n\r\n" + Get("/echo/smuggled"),
     "405", true},
    {"BodyOfGet", "GET /healthz HTTP/1.1\r\nContent-Length: 60\r\n\r\n" + Get("/echo/smuggled"),
     "200", true},
    {"Form",
     "POST /echo/x HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: "
     "3\r\n\r\n--b",
     "415", true},
    {"HeaderTooLarge", Get("/healthz", "X: " + std::string(40000, 'x') + "\r\n"), "431", true},
    {"LongPath", Get("/" + std::string(8000, 'a')), "404", false},
    {"LongerPath", Get("/" + std::string(9000, 'a')), "414", true},
    {"EncodedPath", Get("/echo/%0a%00%ff"), "200", false},
    {"ManyRanges",
     Get(
         "/healthz", "Range: bytes=0-" +
                         [] {
                           std::string ranges;
                           for (int i = 0; i < 2000; ++i) ranges += ",0-";
                           return ranges;
                         }() +
                         "\r\n"),
     "200", false},
    {"RangeBeyondTheEnd", Get("/healthz", "range: bytes=4000000000-\r\n"), "200", false},
    {"ManyHeaders",
     Get("/healthz",
         [] {
           std::string lines;
           for (int i = 0; i < 2000; ++i) lines += "a: b\r\n";
           return lines;
         }()),
     "200", false},
    {"PeerCloses", Get("/healthz", "Connection: close\r\n"), "200", true},
    {"OldVersion", "GET /healthz HTTP/1.0\r\n\r\n", "200", true},
};

class AnswerTest : public testing::TestWithParam<Answer> {};

TEST_P(AnswerTest, IsGivenAndTheConnectionIsSound) {
  const auto server = StartServer({Health(), Echo(100)});
  RawClient client(server->address());
  client.Send(GetParam().request);
  if (GetParam().closes) {
    const std::string all = client.ReadToEnd();
    EXPECT_THAT(all, StartsWith(std::string("HTTP/1.1 ") + GetParam().status));
    EXPECT_THAT(all, Not(HasSubstr("smuggled"))) << "a body was taken for a request";
    EXPECT_EQ(all.find("HTTP/1.1 ", 1), std::string::npos) << all;
  } else {
    EXPECT_THAT(client.ReadResponse(), StartsWith(std::string("HTTP/1.1 ") + GetParam().status));
    client.Send(Get("/healthz"));
    EXPECT_THAT(client.ReadResponse(), EndsWith("ok\n"));
  }
  RawClient other(server->address());
  other.Send(Get("/healthz"));
  EXPECT_THAT(other.ReadResponse(), EndsWith("ok\n"));
}

INSTANTIATE_TEST_SUITE_P(All, AnswerTest, testing::ValuesIn(kAnswers),
                         [](const auto& answer) { return answer.param.name; });

TEST(HttpServerTest, BodiesAndResponsesStreamInAnySize) {
  constexpr u64 kBytes = 20 * 1024 * 1024 + 7;
  std::vector<HttpRoute> routes = {Health()};
  routes.push_back({.path = "/digest",
                    .methods = {"PUT"},
                    .handler =
                        [](const HttpRequest& request) {
                          Hasher hasher;
                          const Status read =
                              request.read_body([&](std::string_view piece) -> Status {
                                hasher.Update(piece);
                                return Ok{};
                              });
                          if (!read) return ErrorResponse(read.error());
                          return HttpResponse{.body = std::move(hasher).Finish().ToString()};
                        },
                    .body_bytes_max = kBytes});
  routes.push_back({.path = "/large", .methods = {"GET"}, .handler = [](const HttpRequest&) {
                      return HttpResponse{.body = "",
                                          .content_type = "application/octet-stream",
                                          .stream = [](u64 offset) -> Result<std::string> {
                                            return std::string(
                                                100'000, static_cast<char>('a' + offset % 26));
                                          },
                                          .stream_bytes = kBytes};
                    }});
  const auto server = StartServer(std::move(routes));
  RawClient client(server->address());
  const std::string body(kBytes, 'q');
  client.Send(fmt::format("PUT /digest HTTP/1.1\r\nContent-Length: {}\r\n\r\n", kBytes));
  client.Send(body);
  EXPECT_THAT(client.ReadResponse(), EndsWith(DigestOf(body).ToString()));

  client.Send("PUT /digest HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 1000; ++i) client.Send("a\r\n0123456789\r\n");
  client.Send("0\r\n\r\n");
  EXPECT_THAT(client.ReadResponse(), HasSubstr("/10000"));

  client.Send(Get("/large"));
  const std::string large = client.ReadResponse();
  EXPECT_EQ(large.size() - large.find("\r\n\r\n") - 4, kBytes);
}

TEST(HttpServerTest, AStreamThatFailsClosesBeforeItsEnd) {
  std::vector<HttpRoute> routes;
  routes.push_back({.path = "/x", .methods = {"GET"}, .handler = [](const HttpRequest&) {
                      return HttpResponse{.body = "",
                                          .stream = [](u64 offset) -> Result<std::string> {
                                            if (offset == 0) return std::string("half");
                                            return Error{Code::kDataLoss, "gone"};
                                          },
                                          .stream_bytes = 8};
                    }});
  const auto server = StartServer(std::move(routes));
  RawClient client(server->address());
  client.Send(Get("/x"));
  EXPECT_THAT(client.ReadToEnd(), EndsWith("\r\n\r\nhalf"));
}

TEST(HttpServerTest, AsksBeforeABodyIsSent) {
  const auto server = StartServer({Echo(100)});
  RawClient client(server->address());
  client.Send("PUT /echo/x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.ReadResponse(), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("ok");
  EXPECT_THAT(client.ReadResponse(), EndsWith("body=ok"));
  client.Send("PUT /echo/x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 200\r\n\r\n");
  EXPECT_THAT(client.ReadToEnd(), StartsWith("HTTP/1.1 413"));
}

TEST(HttpServerTest, CompressesTextOnRequest) {
  std::vector<HttpRoute> routes;
  routes.push_back({.path = "/x", .methods = {"GET"}, .handler = [](const HttpRequest&) {
                      return HttpResponse{.body = std::string(100'000, 'x')};
                    }});
  const auto server = StartServer(std::move(routes));
  RawClient client(server->address());
  client.Send(Get("/x", "Accept-Encoding: gzip, br\r\n"));
  const std::string response = client.ReadResponse();
  EXPECT_THAT(response, HasSubstr("Content-Encoding: gzip\r\n"));
  EXPECT_LT(response.size(), 2000u);
}

TEST(HttpServerTest, IdleAndSlowConnectionsDoNotKeepAProbeWaiting) {
  const auto server =
      StartServer({Health(), Echo(100)}, {.threads = 2, .idle_timeout = 1h, .header_timeout = 1h});
  std::vector<RawClient> idle, used, slow;
  for (int i = 0; i < 60; ++i) {
    idle.emplace_back(server->address());
    used.emplace_back(server->address());
    used.back().Send(Get("/echo/x"));
    EXPECT_THAT(used.back().ReadResponse(), StartsWith("HTTP/1.1 200"));
    slow.emplace_back(server->address());
    slow.back().Send("GET /echo/x HTT");
  }
  RawClient probe(server->address());
  probe.Send(Get("/healthz"));
  EXPECT_THAT(probe.ReadResponse(), EndsWith("ok\n"));
  // The slow and the idle ones are as good as ever.
  slow.front().Send("P/1.1\r\n\r\n");
  EXPECT_THAT(slow.front().ReadResponse(), StartsWith("HTTP/1.1 200"));
  idle.front().Send(Get("/echo/x"));
  EXPECT_THAT(idle.front().ReadResponse(), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServerTest, OneThreadIsKeptForProbes) {
  std::latch release(1);
  std::vector<HttpRoute> routes = {Health()};
  routes.push_back({.path = "/slow", .methods = {"GET"}, .handler = [&](const HttpRequest&) {
                      release.wait();
                      return HttpResponse{.body = "done"};
                    }});
  const auto server = StartServer(std::move(routes), {.threads = 3});
  std::vector<RawClient> clients;
  for (int i = 0; i < 10; ++i) {
    clients.emplace_back(server->address());
    clients.back().Send(Get("/slow"));
  }
  for (int i = 0; i < 5; ++i) {
    RawClient probe(server->address());
    probe.Send(Get("/healthz?verbose"));
    EXPECT_THAT(probe.ReadResponse(), EndsWith("ok\n"));
  }
  release.count_down();
  for (RawClient& client : clients) EXPECT_THAT(client.ReadResponse(), EndsWith("done"));
}

TEST(HttpServerTest, ClosesConnectionsThatWaitTooLong) {
  const auto server = StartServer({Health()}, {.idle_timeout = 1ms, .header_timeout = 1ms});
  RawClient idle(server->address());
  EXPECT_EQ(idle.ReadToEnd(), "");
  RawClient slow(server->address());
  slow.Send("GET /he");
  EXPECT_THAT(slow.ReadToEnd(), testing::AnyOf("", StartsWith("HTTP/1.1 408")));
}

TEST(HttpServerTest, TellsASlowHeaderThatItsTimeIsUp) {
  const auto server = StartServer({Health()}, {.idle_timeout = 1h, .header_timeout = 1ms});
  RawClient slow(server->address());
  slow.Send("GET /he");
  EXPECT_THAT(slow.ReadToEnd(), StartsWith("HTTP/1.1 408"));
}

TEST(HttpServerTest, GivesUpOnABodyThatDoesNotCome) {
  const auto server = StartServer({Health(), Echo(100)}, {.stall_timeout = 1ms});
  RawClient client(server->address());
  client.Send("PUT /echo/x HTTP/1.1\r\nContent-Length: 50\r\n\r\nabc");
  EXPECT_THAT(client.ReadToEnd(), StartsWith("HTTP/1.1 503"));
}

TEST(HttpServerTest, GivesUpOnABodyThatTrickles) {
  const auto server = StartServer({Health(), Echo(1'000'000)},
                                  {.stall_timeout = 200ms, .bytes_per_second_min = 1'000'000});
  RawClient client(server->address());
  client.Send("PUT /echo/x HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n");
  // Never silent for as long as a stall, and still far too slow.
  const auto begun = std::chrono::steady_clock::now();
  while (client.Send("x") && !client.IsReadable(20ms))
    ASSERT_LT(std::chrono::steady_clock::now() - begun, 1min) << "a slow peer is never cut off";
  EXPECT_THAT(client.ReadToEnd(), StartsWith("HTTP/1.1 503"));
}

TEST(HttpServerTest, RoutesByTheFormOfAPath) {
  const auto named = [](std::string path, const char* name) {
    return HttpRoute{.path = std::move(path), .methods = {"GET"}, .handler = [name](const auto&) {
                       return HttpResponse{.body = name};
                     }};
  };
  std::vector<HttpRoute> routes = {named("/exact/cas/1", "exact"), named("/below/", "below"),
                                   named("*/cas/*", "form")};
  routes.back().takes = [](std::string_view path) {
    return path.find("/cas/") != std::string_view::npos;
  };
  const auto name_of = [&](std::string_view path) -> std::string {
    const HttpRoute* const route = FindRoute(routes, path);
    return route == nullptr ? "none" : route->path;
  };
  EXPECT_EQ(name_of("/cas/1"), "*/cas/*");
  EXPECT_EQ(name_of("/a/b/cas/1"), "*/cas/*");
  EXPECT_EQ(name_of("/below/cas/1"), "*/cas/*") << "the form says more than the beginning";
  EXPECT_EQ(name_of("/below/1"), "/below/");
  EXPECT_EQ(name_of("/exact/cas/1"), "/exact/cas/1");
  EXPECT_EQ(name_of("/other"), "none");
}

TEST(HttpServerTest, FindsTheTokenOfAnAuthorization) {
  struct Case {
    const char* header;
    const char* token;
  };
  for (const Case& c : std::vector<Case>{{"Bearer abc", "abc"},
                                         {"bEARER abc", "abc"},
                                         {"Basic dXNlcjphYmM=", "abc"},  // user:abc
                                         {"basic dXNlcjphOmI=", "a:b"},  // user:a:b
                                         {"Basic dG9rZW46", "token"},    // token:
                                         {"Basic dG9rZW4=", ""},         // token
                                         {"Basic !!!", ""},
                                         {"Basic", ""},
                                         {"Digest abc", ""},
                                         {"", ""}})
    EXPECT_EQ(TokenOf(c.header), c.token) << c.header;
}

TEST(HttpServerTest, ClosesTheOldestWaitingConnectionForANewOne) {
  const auto server = StartServer({Health()}, {.connections_max = 4, .idle_timeout = 1h});
  std::vector<RawClient> idle;
  for (int i = 0; i < 4; ++i) idle.emplace_back(server->address());
  for (int i = 0; i < 4; ++i) {
    RawClient probe(server->address());
    probe.Send(Get("/healthz", "Connection: close\r\n"));
    EXPECT_THAT(probe.ReadToEnd(), EndsWith("ok\n"));
  }
  EXPECT_EQ(idle.front().ReadToEnd(), "");
}

TEST(HttpServerTest, BoundsTheRequestsOfAConnection) {
  const auto server = StartServer({Health()}, {.requests_per_connection_max = 2});
  RawClient client(server->address());
  client.Send(Get("/healthz") + Get("/healthz") + Get("/healthz"));
  EXPECT_THAT(client.ReadResponse(), Not(HasSubstr("Connection: close")));
  const std::string rest = client.ReadToEnd();
  EXPECT_THAT(rest, HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(rest, EndsWith("ok\n"));
  EXPECT_EQ(rest.find("HTTP/1.1 ", 1), std::string::npos);
}

TEST(HttpServerTest, AsksForATokenExceptOnOpenRoutes) {
  HttpServerOptions options;
  options.authorize = [](const HttpRequest&, const std::string& token) -> Status {
    if (token.empty()) return Error{Code::kUnauthenticated, "a token is needed"};
    if (token != "right") return Error{Code::kPermissionDenied, "this token may not"};
    return Ok{};
  };
  const auto server = StartServer({Health(), Echo(100)}, options);
  const auto ask = [&](const std::string& path, const std::string& lines) {
    RawClient client(server->address());
    client.Send(Get(path, lines));
    return client.ReadResponse();
  };
  EXPECT_THAT(ask("/echo/x", ""),
              testing::AllOf(StartsWith("HTTP/1.1 401"), HasSubstr("WWW-Authenticate: Bearer")));
  EXPECT_THAT(ask("/echo/x", "Authorization: Basic right\r\n"), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(ask("/echo/x", "Authorization: Bearer wrong\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(ask("/echo/x", "Authorization: bearer right\r\n"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(ask("/healthz", ""), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServerTest, StoppingLetsRequestsEnd) {
  std::promise<void> entered;
  std::latch release(1);
  std::vector<HttpRoute> routes;
  routes.push_back({.path = "/slow", .methods = {"GET"}, .handler = [&](const HttpRequest&) {
                      entered.set_value();
                      release.wait();
                      return HttpResponse{.body = "done"};
                    }});
  const auto server = StartServer(std::move(routes), {.stop_timeout = 1h});
  RawClient client(server->address());
  RawClient idle(server->address());
  client.Send(Get("/slow"));
  entered.get_future().wait();
  std::thread stopping([&] { server->Stop(); });
  EXPECT_EQ(idle.ReadToEnd(), "");  // Closed at once: the stop is under way.
  release.count_down();
  EXPECT_THAT(client.ReadToEnd(), EndsWith("done"));
  stopping.join();
  EXPECT_FALSE(RawClient(server->address()).connected());
}

TEST(HttpServerTest, StoppingCutsOffWhatDoesNotEnd) {
  const auto server = StartServer({Echo(100)}, {.stall_timeout = 1h, .stop_timeout = 1ms});
  RawClient client(server->address());
  client.Send("PUT /echo/x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 50\r\n\r\n");
  EXPECT_EQ(client.ReadResponse(),
            "HTTP/1.1 100 Continue\r\n\r\n");  // The handler waits for the body now.
  server->Stop();
  client.ReadToEnd();
}

TEST(HttpServerTest, ListensWhereItIsTold) {
  EXPECT_THAT(StartServer({Health()})->address(), StartsWith("127.0.0.1:"));
  const auto everywhere = StartServer({Health()}, {.listen = ":0"});
  const std::string port = everywhere->address().substr(everywhere->address().rfind(':'));
  RawClient client("127.0.0.1" + port);
  client.Send(Get("/healthz"));
  EXPECT_THAT(client.ReadResponse(), EndsWith("ok\n"));
}

TEST(HttpServerTest, ListensOnIpv6) {
  Result<std::unique_ptr<HttpServer>> server = HttpServer::Start({.listen = "[::1]:0"}, {Health()});
  if (!server) GTEST_SKIP() << "no IPv6 here: " << server.error().message;
  EXPECT_THAT((*server)->address(), StartsWith("[::1]:"));
  RawClient client((*server)->address());
  client.Send(Get("/healthz"));
  EXPECT_THAT(client.ReadResponse(), EndsWith("ok\n"));
}

TEST(HttpServerTest, SaysWhyItCannotListen) {
  const auto message = [](const std::string& address) {
    const Result<std::unique_ptr<HttpServer>> server = HttpServer::Start({.listen = address}, {});
    return server ? "listens" : server.error().message;
  };
  const auto server = StartServer({});
  EXPECT_EQ(message(server->address()),
            "listen on " + server->address() + ": Address already in use");
  for (const char* bad : {"", "localhost", "localhost:", "::1:80"})
    EXPECT_THAT(message(bad), HasSubstr("write HOST:PORT, [IPV6]:PORT or :PORT")) << bad;
  EXPECT_THAT(message("127.0.0.1:http-but-not"), StartsWith("listen on 127.0.0.1:http-but-not: "));
}

TEST(HttpServerTest, ManyClientsAtOnce) {
  const auto server = StartServer({Health(), Echo(100'000)});
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      RawClient client(server->address());
      for (int i = 0; i < 100; ++i) {
        const std::string body(static_cast<std::size_t>(t * 1000 + i), 'x');
        client.Send(fmt::format("PUT /echo/{} HTTP/1.1\r\nContent-Length: {}\r\n\r\n{}", i,
                                body.size(), body));
        EXPECT_THAT(client.ReadResponse(),
                    EndsWith(fmt::format("PUT /echo/{} x= h= body={}", i, body)));
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ptxfarm::telemetry
