#include "telemetry/standard_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "telemetry/http_server.h"
#include "telemetry/process_metrics.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/telemetry/raw_client.h"

namespace ptxfarm::telemetry {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class StandardRoutesTest : public testing::Test {
 protected:
  void Start(std::function<Status()> ready,
             std::function<std::vector<StatusSection>()> sections = nullptr) {
    server_ = HttpServer::Start({}, MakeStandardRoutes({.program = "ptxfarm-server",
                                                        .version = "1.2.3",
                                                        .metrics = metrics_,
                                                        .clock = clock_,
                                                        .ready = std::move(ready),
                                                        .sections = std::move(sections)}))
                  .value();
  }
  std::string Ask(const std::string& path) const {
    RawClient client(server_->address());
    client.Send(Get(path));
    return client.ReadResponse();
  }

  Metrics metrics_;
  SteppedClock clock_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(StandardRoutesTest, HealthIsApartFromReadiness) {
  bool is_ready = false;
  Start([&]() -> Status {
    if (!is_ready) return Error{Code::kUnavailable, "no worker is connected"};
    return Ok{};
  });
  EXPECT_THAT(Ask("/healthz"), AllOf(StartsWith("HTTP/1.1 200"), EndsWith("ok\n")));
  EXPECT_THAT(Ask("/readyz"),
              AllOf(StartsWith("HTTP/1.1 503"), EndsWith("\r\n\r\nno worker is connected\n")));
  is_ready = true;
  EXPECT_THAT(Ask("/readyz"), AllOf(StartsWith("HTTP/1.1 200"), EndsWith("ready\n")));
}

TEST_F(StandardRoutesTest, MetricsAreInPrometheusFormat) {
  const ProcessMetrics process(metrics_, "1.2.3");
  Start(nullptr);
  const std::string response = Ask("/metrics");
  EXPECT_THAT(response,
              AllOf(StartsWith("HTTP/1.1 200"),
                    HasSubstr("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"),
                    HasSubstr("ptxfarm_build_info{version=\"1.2.3\"} 1\n")));
  if (test::RunShell("command -v promtool").exit_code != 0)
    GTEST_SKIP() << "no promtool here (apt-get install prometheus to have it)";
  const test::TempDir dir;
  ASSERT_TRUE(WriteFileAtomically(dir / "metrics", response.substr(response.find("\r\n\r\n") + 4)));
  EXPECT_EQ(test::RunShell("promtool check metrics < " + dir / "metrics").output, "");
}

TEST_F(StandardRoutesTest, ThePageTellsPeopleHowItStands) {
  Start(
      []() -> Status {
        return Error{Code::kUnavailable, "draining <now>"};
      },
      [] {
        return std::vector<StatusSection>{
            {.title = "Queue", .rows = {{"Waiting", "3"}}},
            {.title = "Workers",
             .columns = {"Name", "Slots"},
             .rows = {{"<script>alert('x')</script>&\"", "8"}}},
            {.title = "Tenants"},
        };
      });
  clock_.Advance(std::chrono::hours(51));
  const std::string page = Ask("/");
  EXPECT_THAT(
      page,
      AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("Content-Type: text/html; charset=utf-8\r\n"),
            HasSubstr("Content-Security-Policy: default-src 'none'"),
            HasSubstr("Version 1.2.3, up for 2d 3h."), HasSubstr("Not ready: draining &lt;now&gt;"),
            HasSubstr("<th scope=\"row\">Waiting</th><td>3</td>"),
            HasSubstr("<th scope=\"col\">Slots</th>"),
            HasSubstr("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;"),
            HasSubstr("<h2>Tenants</h2>\n<p>None.</p>"),
            HasSubstr("<a href=\"/metrics\">Metrics</a>")));
  EXPECT_THAT(page, testing::Not(HasSubstr("<script")));
}

TEST_F(StandardRoutesTest, UptimeIsShort) {
  EXPECT_EQ(FormatUptime(std::chrono::seconds(7)), "7s");
  EXPECT_EQ(FormatUptime(std::chrono::seconds(307)), "5m 7s");
  EXPECT_EQ(FormatUptime(std::chrono::hours(5)), "5h 0m");
}

}  // namespace
}  // namespace ptxfarm::telemetry
