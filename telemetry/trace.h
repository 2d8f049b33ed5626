// Trace context: which request of which user a line of a log or a call between programs belongs to.
//
// W3C Trace Context, level 1: the headers traceparent and tracestate. We hand them on and make ids
// of our own spans; collecting spans is a tracing system's business.
#pragma once

#include <array>
#include <mutex>
#include <random>
#include <string>
#include <string_view>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::telemetry {

struct TraceContext {
  std::array<u8, 16> trace_id{};
  std::array<u8, 8> span_id{};
  bool sampled = false;
  std::string state;  // tracestate as it came, or nothing.

  // Whether there is one: the ids of a trace are never zero.
  bool IsSet() const { return trace_id != std::array<u8, 16>{}; }
  std::string TraceIdHex() const;
  std::string SpanIdHex() const;

  friend bool operator==(const TraceContext&, const TraceContext&) = default;
};

// "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
std::string FormatTraceparent(const TraceContext& context);

// Reads the headers of a request. Later versions of traceparent are read as far as this one goes,
// as the standard asks; a tracestate over 512 bytes, or one that isn't printable ASCII, is dropped.
// INVALID_ARGUMENT: start a new trace.
Result<TraceContext> ParseTraceparent(std::string_view traceparent,
                                      std::string_view tracestate = {});

// Makes ids. Safe to call from many threads.
class TraceIds {
 public:
  TraceIds();  // Seeded by the system's randomness.
  explicit TraceIds(u64 seed) : random_(seed) {}

  TraceContext NewTrace(bool sampled = false);
  // A new span in the parent's trace, or a new trace where the parent isn't set.
  TraceContext ChildOf(const TraceContext& parent);

 private:
  std::mutex mutex_;
  std::mt19937_64 random_;
};

}  // namespace ptxfarm::telemetry
