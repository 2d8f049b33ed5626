// What the convert_*.cc files share: times, enums, lists.
#pragma once

#include <chrono>
#include <string_view>

#include <google/protobuf/duration.pb.h>
#include <google/protobuf/repeated_field.h>
#include <google/protobuf/timestamp.pb.h>

#include "base/clock.h"
#include "base/result.h"

namespace ptxfarm::rpc {

inline void SetDuration(google::protobuf::Duration* message, std::chrono::microseconds duration) {
  message->set_seconds(duration.count() / 1'000'000);
  message->set_nanos(static_cast<int>(duration.count() % 1'000'000) * 1000);
}

// Negative ones, and ones beyond 290 years, are refused: arithmetic on them would overflow.
inline Result<std::chrono::microseconds> ReadDuration(const google::protobuf::Duration& message,
                                                      std::string_view field) {
  constexpr std::int64_t kSecondsMax = std::int64_t{290} * 365 * 86400;
  if (message.seconds() < 0 || message.seconds() > kSecondsMax || message.nanos() < 0 ||
      message.nanos() > 999'999'999)
    return MakeError(Code::kInvalidArgument, "{} is out of range", field);
  return std::chrono::microseconds(message.seconds() * 1'000'000 + message.nanos() / 1000);
}

inline void SetTimestamp(google::protobuf::Timestamp* message, WallTime time) {
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
  message->set_seconds(micros / 1'000'000);
  message->set_nanos(static_cast<int>(micros % 1'000'000) * 1000);
}

inline Result<WallTime> ReadTimestamp(const google::protobuf::Timestamp& message,
                                      std::string_view field) {
  google::protobuf::Duration since_epoch;
  since_epoch.set_seconds(message.seconds());
  since_epoch.set_nanos(message.nanos());
  PTXFARM_ASSIGN_OR_RETURN(const std::chrono::microseconds micros,
                           ReadDuration(since_epoch, field));
  return WallTime(std::chrono::duration_cast<WallTime::duration>(micros));
}

// Enums of ours count from 0, those of the wire from 1 (0 is UNSPECIFIED); their orders are equal,
// which the round-trip test holds.
template <typename Proto, typename Ours>
Proto EnumToProto(Ours value) {
  return static_cast<Proto>(static_cast<int>(value) + 1);
}

template <typename Ours, typename Proto>
Result<Ours> EnumFromProto(Proto value, Ours last, std::string_view field) {
  const int number = static_cast<int>(value) - 1;
  if (number < 0 || number > static_cast<int>(last))
    return MakeError(Code::kInvalidArgument, "{} has no value {}", field, static_cast<int>(value));
  return static_cast<Ours>(number);
}

template <typename Ours, typename Proto, typename Convert>
Status ReadList(google::protobuf::RepeatedPtrField<Proto>& messages, std::vector<Ours>& list,
                Convert convert) {
  list.reserve(static_cast<std::size_t>(messages.size()));
  for (Proto& message : messages) {
    PTXFARM_ASSIGN_OR_RETURN(Ours item, convert(std::move(message)));
    list.push_back(std::move(item));
  }
  return Ok{};
}

template <typename Ours, typename Proto, typename Convert>
Status ReadList(const google::protobuf::RepeatedPtrField<Proto>& messages, std::vector<Ours>& list,
                Convert convert) {
  list.reserve(static_cast<std::size_t>(messages.size()));
  for (const Proto& message : messages) {
    PTXFARM_ASSIGN_OR_RETURN(Ours item, convert(message));
    list.push_back(std::move(item));
  }
  return Ok{};
}

}  // namespace ptxfarm::rpc
