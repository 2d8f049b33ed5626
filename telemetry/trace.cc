#include "telemetry/trace.h"

#include <algorithm>
#include <span>

namespace ptxfarm::telemetry {
namespace {

constexpr std::size_t kTraceparentBytes = 55;  // Of version 00; later ones may be longer.
constexpr std::size_t kStateBytesMax = 512;    // W3C Trace Context §3.3.1.5.
constexpr u8 kSampledFlag = 0x01;

std::string Hex(std::span<const u8> bytes) {
  std::string hex;
  for (const u8 byte : bytes) hex += fmt::format("{:02x}", byte);
  return hex;
}

// Lower case only, as the standard has it.
int Nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

bool ReadHex(std::string_view hex, std::span<u8> bytes) {
  if (hex.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = Nibble(hex[2 * i]), low = Nibble(hex[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<u8>(high << 4 | low);
  }
  return true;
}

bool IsZero(std::span<const u8> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](u8 byte) { return byte == 0; });
}

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

std::string TraceContext::TraceIdHex() const { return Hex(trace_id); }
std::string TraceContext::SpanIdHex() const { return Hex(span_id); }

std::string FormatTraceparent(const TraceContext& context) {
  return fmt::format("00-{}-{}-{:02x}", Hex(context.trace_id), Hex(context.span_id),
                     context.sampled ? kSampledFlag : 0);
}

Result<TraceContext> ParseTraceparent(std::string_view text, std::string_view tracestate) {
  const auto refuse = [] { return Error{Code::kInvalidArgument, "traceparent is malformed"}; };
  if (text.size() < kTraceparentBytes || text[2] != '-' || text[35] != '-' || text[52] != '-')
    return refuse();
  u8 version = 0, flags = 0;
  TraceContext context;
  const bool read =
      ReadHex(text.substr(0, 2), {&version, 1}) && ReadHex(text.substr(3, 32), context.trace_id) &&
      ReadHex(text.substr(36, 16), context.span_id) && ReadHex(text.substr(53, 2), {&flags, 1});
  if (!read || version == 0xff || IsZero(context.trace_id) || IsZero(context.span_id))
    return refuse();
  if (text.size() > kTraceparentBytes && (version == 0 || text[kTraceparentBytes] != '-'))
    return refuse();
  context.sampled = (flags & kSampledFlag) != 0;
  if (tracestate.size() <= kStateBytesMax && IsPrintable(tracestate)) context.state = tracestate;
  return context;
}

namespace {

void Fill(std::span<u8> bytes, std::mt19937_64& random) {
  do {
    for (u8& byte : bytes) byte = static_cast<u8>(random() >> 56);
  } while (IsZero(bytes));
}

u64 SystemSeed() {
  std::random_device device;
  return u64{device()} << 32 | device();
}

}  // namespace

TraceIds::TraceIds() : TraceIds(SystemSeed()) {}

TraceContext TraceIds::NewTrace(bool sampled) {
  const std::lock_guard lock(mutex_);
  TraceContext context;
  Fill(context.trace_id, random_);
  Fill(context.span_id, random_);
  context.sampled = sampled;
  return context;
}

TraceContext TraceIds::ChildOf(const TraceContext& parent) {
  if (!parent.IsSet()) return NewTrace();
  TraceContext child = parent;
  const std::lock_guard lock(mutex_);
  Fill(child.span_id, random_);
  return child;
}

}  // namespace ptxfarm::telemetry
