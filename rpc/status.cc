#include "rpc/status.h"

#include <algorithm>

#include "ptxfarm/v1/status_details.pb.h"

namespace ptxfarm::rpc {
namespace {

constexpr char kRetryInfoUrl[] = "type.googleapis.com/google.rpc.RetryInfo";
constexpr std::chrono::milliseconds kRetryAfterMax = std::chrono::hours(1);

}  // namespace

grpc::Status ToStatus(const Error& error, std::optional<std::chrono::milliseconds> retry_after) {
  // Our codes are gRPC's by number.
  const auto code = static_cast<grpc::StatusCode>(error.code);
  if (!retry_after) return grpc::Status(code, error.message);
  v1::RetryDetail retry;
  retry.mutable_retry_delay()->set_seconds(retry_after->count() / 1000);
  retry.mutable_retry_delay()->set_nanos(static_cast<i32>(retry_after->count() % 1000) * 1'000'000);
  v1::StatusDetails details;
  details.set_code(static_cast<int>(code));
  details.set_message(error.message);
  google::protobuf::Any& any = *details.add_details();
  any.set_type_url(kRetryInfoUrl);
  any.set_value(retry.SerializeAsString());
  return grpc::Status(code, error.message, details.SerializeAsString());
}

Error FromStatus(const grpc::Status& status) {
  PTXFARM_CHECK(!status.ok());
  return Error{static_cast<Code>(status.error_code()), status.error_message()};
}

std::optional<std::chrono::milliseconds> RetryAfter(const grpc::Status& status) {
  v1::StatusDetails details;
  if (status.error_details().empty() || !details.ParseFromString(status.error_details()))
    return std::nullopt;
  for (const google::protobuf::Any& any : details.details()) {
    v1::RetryDetail retry;
    if (any.type_url() != kRetryInfoUrl || !retry.ParseFromString(any.value())) continue;
    const i64 seconds = std::clamp<i64>(retry.retry_delay().seconds(), 0, 3600);
    const std::chrono::milliseconds delay(
        seconds * 1000 + std::clamp(retry.retry_delay().nanos(), 0, 999'999'999) / 1'000'000);
    return std::min(delay, kRetryAfterMax);
  }
  return std::nullopt;
}

}  // namespace ptxfarm::rpc
