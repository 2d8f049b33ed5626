#include "telemetry/trace.h"

#include <set>

#include <gtest/gtest.h>

namespace ptxfarm::telemetry {
namespace {

constexpr const char* kHeader = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(TraceTest, ReadsAndWritesTheHeader) {
  const TraceContext context = ParseTraceparent(kHeader, "vendor=1,other=2").value();
  EXPECT_EQ(context.TraceIdHex(), "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(context.SpanIdHex(), "00f067aa0ba902b7");
  EXPECT_TRUE(context.sampled);
  EXPECT_EQ(context.state, "vendor=1,other=2");
  EXPECT_EQ(FormatTraceparent(context), kHeader);
}

TEST(TraceTest, ReadsFlagsThatItDoesNotKnow) {
  EXPECT_FALSE(
      ParseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-fe")->sampled);
}

// W3C Trace Context §3.2.2.1: a later version is read as this one, as far as it goes.
TEST(TraceTest, ReadsLaterVersions) {
  EXPECT_TRUE(ParseTraceparent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
  EXPECT_TRUE(ParseTraceparent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what"));
  EXPECT_FALSE(ParseTraceparent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what"));
}

TEST(TraceTest, RefusesMalformedHeaders) {
  for (const char* bad : {
           "",
           "00",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
           "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
           "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
           "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
           "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
           "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
       })
    EXPECT_FALSE(ParseTraceparent(bad)) << bad;
}

TEST(TraceTest, DropsAStateThatIsTooLongOrNotPrintable) {
  EXPECT_EQ(ParseTraceparent(kHeader, std::string(513, 'a'))->state, "");
  EXPECT_EQ(ParseTraceparent(kHeader, "a=1\r\nx: y")->state, "");
}

TEST(TraceTest, ChildrenKeepTheTraceAndGetASpan) {
  TraceIds ids(7);
  const TraceContext parent = ParseTraceparent(kHeader, "v=1").value();
  const TraceContext child = ids.ChildOf(parent);
  EXPECT_EQ(child.trace_id, parent.trace_id);
  EXPECT_NE(child.span_id, parent.span_id);
  EXPECT_TRUE(child.sampled);
  EXPECT_EQ(child.state, "v=1");
  EXPECT_TRUE(ids.ChildOf(TraceContext{}).IsSet());
}

TEST(TraceTest, IdsDiffer) {
  TraceIds one, two;
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    seen.insert(one.NewTrace().TraceIdHex());
    seen.insert(two.NewTrace().TraceIdHex());
  }
  EXPECT_EQ(seen.size(), 2000u);
}

}  // namespace
}  // namespace ptxfarm::telemetry
