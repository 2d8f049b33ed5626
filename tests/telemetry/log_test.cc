#include "telemetry/log.h"

#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/log_line.h"
#include "tests/support/memory_log_sink.h"

namespace ptxfarm::telemetry {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::SizeIs;
using namespace std::chrono_literals;

// The stepped clock begins 50 years of 365 days after 1970.
constexpr const char* kStart = "2019-12-20T00:00:00.000Z ";

class LogTest : public testing::Test {
 protected:
  test::MemoryLogSink sink_;
  SteppedClock clock_;
};

TEST_F(LogTest, WritesEventAndTypedFieldsInALine) {
  Logger logger(sink_, clock_);
  clock_.Advance(1234ms);
  const std::string text = "two words";
  logger.Log(Level::kInfo, "compile_finished",
             {{"action", Digest{}},
              {"target", "sm_90"},
              {"message", text},
              {"ok", true},
              {"count", -3},
              {"bytes", u64{18446744073709551615u}},
              {"ratio", 0.25},
              {"duration_ms", 41500us},
              {"wait_ms", 2s}});
  EXPECT_THAT(
      sink_.lines(),
      ElementsAre("2019-12-20T00:00:01.234Z info compile_finished action=" + std::string(64, '0') +
                  " target=sm_90 message=\"two words\" ok=true count=-3 bytes=18446744073709551615 "
                  "ratio=0.25 duration_ms=41.5 wait_ms=2000\n"));
}

TEST_F(LogTest, WritesJsonLines) {
  Logger logger(sink_, clock_, {.format = LogFormat::kJson});
  logger.Log(Level::kError, "x",
             {{"a", "q\"\n\x01\xff"}, {"b", 7}, {"c", std::numeric_limits<double>::infinity()}});
  EXPECT_THAT(
      sink_.lines(),
      ElementsAre("{\"time\":\"2019-12-20T00:00:00.000Z\",\"level\":\"error\",\"event\":\"x\","
                  "\"a\":\"q\\\"\\n\\u0001\xef\xbf\xbd\",\"b\":7,\"c\":null}\n"));
}

TEST_F(LogTest, DropsWhatIsBelowTheLevel) {
  Logger logger(sink_, clock_, {.level = Level::kWarning});
  logger.Log(Level::kDebug, "a");
  logger.Log(Level::kInfo, "b");
  logger.Log(Level::kWarning, "c");
  logger.Log(Level::kError, "d");
  EXPECT_FALSE(logger.IsOn(Level::kInfo));
  EXPECT_THAT(sink_.lines(), ElementsAre(EndsWith(" warning c\n"), EndsWith(" error d\n")));
}

TEST_F(LogTest, CarriesTheTrace) {
  Logger logger(sink_, clock_);
  const TraceContext trace =
      ParseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01").value();
  logger.Log(Level::kInfo, "e", trace, {{"k", 1}});
  logger.Log(Level::kInfo, "e", TraceContext{}, {{"k", 2}});
  EXPECT_THAT(
      sink_.lines(),
      ElementsAre(std::string(kStart) +
                      "info e trace=4bf92f3577b34da6a3ce929d0e0e4736 span=00f067aa0ba902b7 k=1\n",
                  std::string(kStart) + "info e k=2\n"));
}

TEST_F(LogTest, BoundsAnEventsLinesASecondAndSaysHowManyItDropped) {
  Logger logger(sink_, clock_, {.lines_per_event_per_second = 2});
  for (int i = 0; i < 5; ++i) logger.Log(Level::kInfo, "loud");
  logger.Log(Level::kInfo, "quiet");
  clock_.Advance(999ms);
  logger.Log(Level::kInfo, "loud");
  clock_.Advance(1ms);
  logger.Log(Level::kInfo, "loud", {{"k", 1}});
  logger.Log(Level::kInfo, "loud");
  EXPECT_THAT(
      sink_.lines(),
      ElementsAre(EndsWith("info loud\n"), EndsWith("info loud\n"), EndsWith("info quiet\n"),
                  EndsWith("info loud k=1 suppressed=4\n"), EndsWith("info loud\n")));
}

TEST_F(LogTest, LinesOfThreadsDoNotMix) {
  Logger logger(sink_, clock_, {.lines_per_event_per_second = 1000000});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) logger.Log(Level::kInfo, "e", {{"text", "a b"}});
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(sink_.lines(), SizeIs(2000));
  EXPECT_THAT(sink_.lines(), testing::Each(std::string(kStart) + "info e text=\"a b\"\n"));
}

struct Quoting {
  std::string text;
  const char* logfmt;
  const char* json;
};
const Quoting kQuoting[] = {
    {"", "\"\"", "\"\""},
    {"plain-3.5/x:y", "plain-3.5/x:y", "\"plain-3.5/x:y\""},
    {"a b", "\"a b\"", "\"a b\""},
    {"k=v", "\"k=v\"", "\"k=v\""},
    {"\"", "\"\\\"\"", "\"\\\"\""},
    {"\\", "\"\\\\\"", "\"\\\\\""},
    {"a\nlevel=error", "\"a\\nlevel=error\"", "\"a\\nlevel=error\""},
    {"\t\r", "\"\\t\\r\"", "\"\\t\\r\""},
    {"\x1b[31m", "\"\\u001b[31m\"", "\"\\u001b[31m\""},
    {std::string(1, '\0'), "\"\\u0000\"", "\"\\u0000\""},
    {"\x7f", "\"\\u007f\"", "\"\\u007f\""},
    {"é€😀", "\"é€😀\"", "\"é€😀\""},
    {"\xc2\x85", "\"\\u0085\"", "\"\\u0085\""},      // C1: next line.
    {"\xe2\x80\xae", "\"\\u202e\"", "\"\\u202e\""},  // Right-to-left override.
    {"\xff", "\"\\xff\"", "\"\xef\xbf\xbd\""},
    {"\xc3", "\"\\xc3\"", "\"\xef\xbf\xbd\""},                       // Cut off.
    {"\xc0\xaf", "\"\\xc0\\xaf\"", "\"\xef\xbf\xbd\xef\xbf\xbd\""},  // Overlong.
    {"\xed\xa0\x80", "\"\\xed\\xa0\\x80\"",
     "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},  // Surrogate.
    {"\xf4\x90\x80\x80", "\"\\xf4\\x90\\x80\\x80\"",
     "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
};

TEST(LogLineTest, TextsCanNeitherEndTheLineNorForgeAField) {
  for (const Quoting& row : kQuoting) {
    std::string logfmt, json;
    AppendLogfmt(logfmt, row.text);
    AppendJson(json, row.text);
    EXPECT_EQ(logfmt, row.logfmt);
    EXPECT_EQ(json, row.json);
  }
}

TEST(LogLineTest, LongTextsAreCutBetweenCodePoints) {
  std::string line;
  AppendLogfmt(line, "x" + std::string(kFieldBytesMax, 'y'));
  EXPECT_EQ(line, "\"x" + std::string(kFieldBytesMax - 1, 'y') + "… (4097 bytes)\"");
  std::string euros;
  for (int i = 0; i < 2000; ++i) euros += "€";
  line.clear();
  AppendLogfmt(line, euros);
  EXPECT_EQ(line, "\"" + euros.substr(0, 4095) + "… (6000 bytes)\"");
}

TEST(LogLineTest, TimesAreUtcWithMilliseconds) {
  EXPECT_EQ(FormatTime(WallTime(1772366400123ms)), "2026-03-01T12:00:00.123Z");
  EXPECT_EQ(FormatTime(WallTime(0ms)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(FormatTime(WallTime(-1ms)), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace ptxfarm::telemetry
